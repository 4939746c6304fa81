// An application imports SettingsClient alone: the values, actions and errors that it handles come along.
@_exported public import SettingsModel

@_exported public import SettingsModel

// An application imports SettingsClient alone: the values, actions and errors that it handles come along.
@_exported public import struct SettingsBus.SettingDescription

internal import Glibc
internal import SettingsBus
internal import SettingsService

exit(Daemon.main(arguments: ProcessEnvironment.arguments, environment: ProcessEnvironment.current))

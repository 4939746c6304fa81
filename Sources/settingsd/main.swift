internal import Glibc
internal import SettingsBus
internal import SettingsService

exit(Daemon.main(arguments: CommandLine.arguments, environment: ProcessEnvironment.current))

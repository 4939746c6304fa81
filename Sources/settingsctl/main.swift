internal import Glibc
internal import SettingsCommand

exit(unsafe SettingsCommand.main(CommandLine.argc, CommandLine.unsafeArgv))

internal import CLinux
internal import Glibc
internal import SettingsCommand

exit(unsafe SettingsCommand.main(linux_argument_count(), linux_arguments()))

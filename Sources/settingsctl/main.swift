internal import CLinux
internal import Glibc
internal import SettingsCommand

// Nothing waits in C's streams, and nothing is to be taken apart.
_exit(unsafe SettingsCommand.main(linux_argument_count(), linux_arguments()))

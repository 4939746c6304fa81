import EventLoop
import ExampleSupport
import Foundation
import SettingsCommand

extension EventLoop {
    /// Calls a closure on the loop when anything happens to a file, for as long as the loop is there. Its folder is what is
    /// watched, since programs replace files; so it is called for the folder's other files, too.
    func watchFile(_ path: String, changed: @escaping () -> Void) throws {
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
        guard descriptor >= 0, inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, events) >= 0 else {
            throw Failure("cannot watch \(path): \(systemMessage(errno))")
        }
        try watch(descriptor, for: .readable) { _ in
            var events = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &events, events.count) > 0 {}
            changed()
        }
    }
}

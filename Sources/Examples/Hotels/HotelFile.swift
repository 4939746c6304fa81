import ExampleSupport
import Foundation
import SettingsCommand

/// A file of hotels that stays in memory as long as it stays the same.
final class HotelFile {
    private let path: String
    private var hotels: [Hotel] = []
    private var summary = ReadSummary()
    private var stamp: Stamp?
    /// Why the hotels are older than the file.
    private var problem: Failure?

    /// What changes when a file is written or replaced.
    private struct Stamp: Equatable {
        var isFile: Bool
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    /// Reads the file.
    init(_ path: String) throws(Failure) {
        self.path = path
        refresh()
        guard var problem else { return }
        problem.hint = "to try it: hotels sample >hotels.json; hotels watch hotels.json"
        throw problem
    }

    /// Looks for hotels in the file as it is now; in the last one that could be read, should it be broken.
    ///
    /// - Parameter limit: how many of the first are shown.
    func find(_ search: Search, limit: Int, drawing: Drawing) -> FindingsReport {
        refresh()
        var findings = Findings(search, limit: limit)
        for hotel in hotels { findings.take(hotel) }
        return FindingsReport(findings, summary, problem: problem?.message, drawing: drawing)
    }

    /// Reads the file anew, if it is another than before.
    private func refresh() {
        let new = Self.stamp(of: path)
        if let new, new == stamp { return }
        stamp = new
        do throws(Failure) {
            if new?.isFile == false { throw Failure("\(path) is no file that can be read again and again") }
            var read: [Hotel] = []
            var reader = try HotelReader(path)
            summary = try reader.read { read.append($0) }
            hotels = read
            problem = nil
        } catch {
            problem = error
        }
    }

    private static func stamp(of path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            isFile: status.st_mode & S_IFMT == S_IFREG, inode: UInt64(status.st_ino), size: Int64(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}

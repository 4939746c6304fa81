internal import Glibc

extension SchemaFile {
    /// Tells one state of a file from another (stat(2)), its content aside.
    public struct Stamp: Hashable, Sendable {
        private let numbers: [Int]

        fileprivate init(_ status: stat) {
            numbers = [
                Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
    }

    /// The state of the file at a path, through links; nil where there is none or it cannot be reached.
    public static func stamp(of path: String) -> Stamp? {
        var status = stat()
        return stat(path, &status) == 0 ? Stamp(status) : nil
    }
}

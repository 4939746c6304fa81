internal import Glibc

/// The document's file.
struct DocumentFile: Sendable {
    /// Where people look for the document; it may be a link.
    let path: String

    enum Content: Hashable, Sendable {
        case absent
        case text([UInt8])
        /// Something that cannot be read as a file: a sentence.
        case unreadable(String)
    }

    /// Looks at what is there.
    func read() -> Content {
        do {
            let file = try File.open(path, O_RDONLY)
            guard try file.status().isRegular else {
                return .unreadable("\(path) is no regular file; move it away, so that a document can stand there")
            }
            return .text(try file.readToEnd())
        } catch {
            if error.isAbsence { return .absent }
            return .unreadable("\(error); make it a file that this account can read")
        }
    }

    /// What the path leads to in the end: a file or nothing, but no link.
    private func target() throws(SystemError) -> String {
        var path = path
        for _ in 0..<40 {
            guard let status = try FileStatus.of(path, followingLinks: false), status.isLink else { return path }
            let link = try Folder.destination(of: path)
            path = link.utf8.first == UInt8(ascii: "/") ? link : Folder.of(path) + "/" + link
        }
        throw SystemError("readlink", self.path, code: ELOOP)
    }

    /// Says why the document may not be replaced, or nil where it may.
    func refusal() throws(SystemError) -> String? {
        let target = try target()
        if let status = try FileStatus.of(target) {
            guard status.isRegular else { return "\(target) is no regular file" }
            if try !Folder.isWritable(target, asFolder: false) {
                return "\(target) is read-only (mode \(String(status.permissions, radix: 8)))"
            }
        }
        var folder = Folder.of(target)
        while try FileStatus.of(folder) == nil, folder != "/" { folder = Folder.of(folder) }
        return try Folder.isWritable(folder, asFolder: true) ? nil : "the folder \(folder) is read-only"
    }

    enum Replacement: Sendable {
        case done
        /// Somebody else has changed the file; theirs is at the path.
        case edited
    }

    /// Replaces the document's content at once and durably, where what is there is what is known.
    func replace(_ known: Content, with text: [UInt8]) throws(SystemError) -> Replacement {
        guard read() == known else { return .edited }
        if known == .text(text) { return .done }
        let target = try target()
        try Folder.make(Folder.of(target))
        let new = try TemporaryFile(beside: target)
        do {
            if let status = try FileStatus.of(target) { try keep(status, of: new.file) }
            try new.file.write(text, at: 0)
            try new.file.synchronize()
            try Folder.rename(new.file.path, to: target, .replacing)
        } catch {
            new.discard()
            throw error
        }
        try Folder.synchronize(Folder.of(target))
        return .done
    }

    private func keep(_ status: FileStatus, of file: File) throws(SystemError) {
        let own = try file.status()
        if status.group != own.group {
            do {
                try file.setGroup(status.group)
            } catch  where error.isRefusal {
                // Only a member of the group may keep it; the account itself loses nothing.
            }
        }
        try file.setPermissions(status.permissions)
    }
}

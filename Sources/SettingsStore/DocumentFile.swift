internal import Glibc

/// The document's file.
struct DocumentFile: Sendable {
    /// Where people look for the document; it may be a link.
    let path: String

    enum Content: Equatable, Sendable {
        case absent
        case text([UInt8])
        /// Something that cannot be read as a file: a sentence.
        case unreadable(String)
        /// Something that could not be read just now: a sentence.
        case failing(String)

        /// Whether what it says may be another thing though nothing is changed.
        var isUnreadable: Bool {
            switch self {
            case .absent, .text: false
            case .unreadable, .failing: true
            }
        }

        var isText: Bool { if case .text = self { true } else { false } }

        /// Compares texts at once: they may have megabytes.
        static func == (left: Content, right: Content) -> Bool {
            switch (left, right) {
            case (.absent, .absent): true
            case (.text(let a), .text(let b)): a.count == b.count && memcmp(a, b, a.count) == 0
            case (.unreadable(let a), .unreadable(let b)): a.utf8.elementsEqual(b.utf8)
            default: false
            }
        }
    }

    /// Looks at what is there.
    func read() -> Content { Self.read(path) }

    static func read(_ path: String) -> Content {
        do {
            return try load(path)
        } catch {
            return .failing("\(error); \(error.remedy)")
        }
    }

    /// Looks at what is at a path.
    ///
    /// - Throws: what keeps it from being read just now.
    static func load(_ path: String) throws(SystemError) -> Content {
        do {
            let file = try File.open(path, O_RDONLY)
            guard file.isRegular else {
                return .unreadable("\(path) is no regular file; move it away, so that a document can stand there")
            }
            if let refusal = DocumentLimits.refusal(path, bytes: try file.status().size) { return .unreadable(refusal) }
            return .text(try file.readToEnd(limit: DocumentLimits.size << 20))
        } catch {
            if error.isAbsence { return .absent }
            if error.isPassing { throw error }
            return .unreadable("\(error); \(error.isRefusal ? "make it readable for this account" : error.remedy)")
        }
    }

    /// Tells one state of the file from another; nil where it is not there or cannot be reached.
    func stamp() -> FileStatus? {
        for followingLinks in [true, false] {
            do {
                if let status = try FileStatus.of(path, followingLinks: followingLinks) { return status }
            } catch {
                // What keeps it from being reached shows when it is read.
            }
        }
        return nil
    }

    /// Says why the document may not be replaced, or nil where it may.
    func refusal() throws(SystemError) -> String? {
        let target: String
        do {
            target = try self.target()
        } catch  where error.code == ELOOP {
            return "\(path) is a link that leads nowhere"
        } catch  where error.code == EILSEQ {
            return "\(path) leads to a path that is not valid UTF-8"
        }
        if let status = try FileStatus.of(target) {
            guard status.isRegular else { return "\(target) is no regular file" }
            if let refusal = try Folder.refusal(target, status) { return refusal }
        }
        return try folderRefusal(of: target)
    }

    /// What was so when it was found that the document may be replaced. A file's mode, attributes and access list do not
    /// change without its status, so that as long as both are the same it still may; that a file system is read-only now
    /// shows in no status.
    struct Clearance: Sendable {
        private let document: FileStatus
        private let folder: String
        private let folderStatus: FileStatus

        /// - Parameter document: the status of the document from before it was found; a link counts as what it points at.
        /// - Returns: nil where what happens next may not show.
        init?(_ document: FileStatus, of file: DocumentFile) throws(SystemError) {
            guard document.isSettled, !document.isLink else { return nil }
            folder = Folder.of(try file.target())
            guard let status = try FileStatus.of(folder), status.isSettled else { return nil }
            (self.document, folderStatus) = (document, status)
        }

        /// - Parameter found: the document's status now.
        func holds(_ found: FileStatus) throws(SystemError) -> Bool {
            guard found == document, try FileStatus.of(folder) == folderStatus else { return false }
            return Folder.isWritable(folder)
        }
    }

    /// Says why nothing may be put beside a file, or nil where it may.
    func folderRefusal(of target: String) throws(SystemError) -> String? {
        var folder = Folder.of(target)
        while true {
            if let status = try FileStatus.of(folder) { return try Folder.refusal(folder, status) }
            folder = Folder.of(folder)
        }
    }

    /// What the path leads to in the end: a file or nothing, but no link.
    func target() throws(SystemError) -> String {
        var path = path
        for _ in 0..<40 {
            guard let next = try Folder.destination(of: path) else { return path }
            path = next
        }
        throw SystemError("readlink", self.path, code: ELOOP)
    }
}

// MARK: Replacing

extension DocumentFile {
    enum Replacement: Sendable {
        case done
        /// Somebody else has changed the file; theirs is at the path.
        case edited
    }

    /// Replaces the document's content at once and durably, where what is there is what is known.
    ///
    /// A link stays, and what it points at is replaced or made. The mode stays, and the group where that is permitted.
    func replace(_ known: Content, with text: [UInt8]) throws(SystemError) -> Replacement {
        guard read() == known else { return .edited }
        if known == .text(text) { return .done }
        let target = try target()
        let folder = Folder.of(target)
        try Folder.make(folder)
        let new = try TemporaryFile(beside: target, mark: "\(ReplacementMark(known, text))")
        let replacement: Replacement
        do {
            if let status = try FileStatus.of(target) { try keep(status, of: new.file) } else { try new.file.makePrivate() }
            try new.file.write(text, at: 0)
            try new.file.synchronize()
            replacement = try put(new.path, at: target, known, text)
        } catch {
            // What could not be put back is somebody's edit and not to be lost.
            if error.call != Self.puttingBack { new.discard() }
            throw error
        }
        try Folder.synchronize(folder)
        return replacement
    }

    static let puttingBack = "rename back"

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

    private func put(
        _ new: String, at target: String, _ known: Content, _ text: [UInt8]
    ) throws(SystemError) -> Replacement {
        let isNew = known == .absent
        do {
            try Folder.rename(new, to: target, isNew ? .onlyIfAbsent : .exchanging)
        } catch {
            if error.isUnsupported { return try putComparing(new, at: target, known) }
            guard error.code == EEXIST || error.code == ENOENT else { throw error }
            try Folder.remove(new)
            return .edited
        }
        return isNew ? .done : try inspectDisplaced(new, target, known, text)
    }

    /// For file systems that cannot exchange two files.
    private func putComparing(_ new: String, at target: String, _ known: Content) throws(SystemError) -> Replacement {
        guard Self.read(target) == known else {
            try Folder.remove(new)
            return .edited
        }
        try Folder.rename(new, to: target, .replacing)
        return .done
    }

    /// Puts back an edit that the text has displaced.
    func putBack(_ edit: String, at target: String, inPlaceOf text: [UInt8]) throws(SystemError) -> Replacement {
        // What is there is an edit whatever it says.
        try inspectDisplaced(edit, target, .absent, text)
    }

    /// Looks at what has made room for the new text; an edit that landed in between is put back.
    private func inspectDisplaced(
        _ displaced: String, _ target: String, _ known: Content, _ text: [UInt8]
    ) throws(SystemError) -> Replacement {
        var expected = known
        var atTarget = Content.text(text)
        while true {
            let found = Result { () throws(SystemError) in try Self.load(displaced) }
            if case .success(let content) = found, content == expected { break }
            do throws(SystemError) {
                do {
                    try Folder.rename(displaced, to: target, .exchanging)
                } catch  where error.code == ENOENT {
                    // Nothing is at the path any more.
                    try Folder.rename(displaced, to: target, .onlyIfAbsent)
                    return .edited
                }
            } catch {
                if error.code == EEXIST { continue }
                throw SystemError(Self.puttingBack, target, code: error.code)
            }
            // What could not be read is where it was, and what it has displaced in turn is judged before the next write.
            if case .failure(let error) = found { throw SystemError(Self.puttingBack, target, code: error.code) }
            // By now yet another edit may have landed, which this has displaced; it is the newest.
            (expected, atTarget) = (atTarget, try found.get())
        }
        try Folder.remove(displaced)
        return atTarget == .text(text) ? .done : .edited
    }
}

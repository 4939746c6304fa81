import Foundation
import Testing

@testable import SettingsStore

/// What happens far above a file, which changes what stands at its path.
@Suite struct WatchingTests {
    /// A way to put another tree of folders in the place of the one that a file is in.
    enum Switch: CaseIterable {
        case folderMoved, parentMoved, grandparentMoved, folderMovedOver, linkSwitched, linkBelowLinkSwitched, linkReplaced

        /// Prepares the tree. The file is `top/middle/inner/settings.json` in the root.
        func prepare(_ root: String) {
            switch self {
            case .linkSwitched, .linkReplaced:
                mkdir(root + "/one", 0o700)
                symlink("one", root + "/top")
            case .linkBelowLinkSwitched:
                mkdir(root + "/first", 0o700)
                symlink("first", root + "/one")
                symlink(root + "/one", root + "/top")
            default: break
            }
        }

        /// Puts the tree below `new` in the place of the other.
        func carryOut(_ root: String) throws {
            switch self {
            case .folderMoved: try move(root, "top/middle/inner")
            case .parentMoved: try move(root, "top/middle")
            case .grandparentMoved: try move(root, "top")
            case .folderMovedOver:
                rename(root + "/top", root + "/old")
                rename(root + "/new", root + "/top")
            case .linkSwitched: turn(root + "/top", to: "new")
            case .linkBelowLinkSwitched: turn(root + "/one", to: "new")
            case .linkReplaced:
                unlink(root + "/top")
                rename(root + "/new", root + "/top")
            }
        }

        /// Moves a folder away and makes it again, as slowly as people do.
        private func move(_ root: String, _ name: String) throws {
            rename("\(root)/\(name)", root + "/old")
            try FileManager.default.createDirectory(atPath: root + "/top/middle/inner", withIntermediateDirectories: true)
            rename(root + "/new/middle/inner/settings.json", root + "/top/middle/inner/settings.json")
        }

        private func turn(_ link: String, to target: String) {
            symlink(target, link + "~")
            rename(link + "~", link)
        }
    }

    @Test(arguments: Switch.allCases, [false, true]) func anotherTreeInAFilesPlaceIsSeen(change: Switch, isLayer: Bool) throws {
        let bed = try StoreBed()
        if isLayer { bed.adminFolder = "top/middle/inner" } else { bed.documentFolder = "top/middle/inner" }
        let path = isLayer ? bed.adminPath : bed.documentPath
        change.prepare(bed.root)
        try bed.write(#"{"profile": {"name": "Ada"}}"#, to: path)
        try bed.write(#"{"profile": {"name": "Grace"}}"#, to: bed.root + "/new/middle/inner/settings.json")
        try bed.open()
        bed.waitUntilReloaded()
        try change.carryOut(bed.root)
        bed.wait(for: "the other tree") { try bed.value("profile.name") == "Grace" }
        bed.waitUntilReloaded()
        try bed.save(#"{"profile": {"name": "Edsger"}}"#, to: path)
        bed.wait(for: "an edit there") { try bed.value("profile.name") == "Edsger" }
    }

    /// Whoever watches may find the same file at the path as before, as when it was moved into a repository of dotfiles, and
    /// then asks for nothing.
    @Test func aLinkThatComesToStandAtThePathIsFollowed() throws {
        let bed = try StoreBed()
        let (path, target) = (bed.root + "/settings.json", bed.root + "/dotfiles/settings.json")
        try bed.write("1", to: path)
        var events = 0
        let source = FileWatcher.Target(path: path, events: FileWatcher.Target.saves) { events += 1 }
        let watch = try StoreHost(loop: bed.loop).watch([source])
        mkdir(bed.root + "/dotfiles", 0o700)
        rename(path, target)
        bed.wait(for: "that it has gone") { events == 1 }
        symlink(target, path)
        bed.wait(for: "that it is back") { events == 2 }
        try bed.save("2", to: target)
        bed.wait(for: "the edit of the target") { events > 2 }
        _ = watch
    }

    @Test func whatElseHappensInTheFoldersAboveWakesNobody() throws {
        let bed = try StoreBed()
        bed.documentFolder = "top/middle/inner"
        try bed.open()
        try bed.set("profile.name", "Ada")
        bed.waitUntilIdle()
        var events = 0
        let source = FileWatcher.Target(path: bed.documentPath, events: FileWatcher.Target.saves) { events += 1 }
        let watch = try StoreHost(loop: bed.loop).watch([source])
        for folder in ["", "/top", "/top/middle"] {
            try bed.write("x", to: bed.root + folder + "/other")
            chmod(bed.root + folder + "/other", 0o644)
            unlink(bed.root + folder + "/other")
        }
        try bed.write("x", to: bed.root + "/top/middle/inner/other")
        try bed.save(#"{"profile": {"name": "Grace"}}"#, to: bed.documentPath)
        bed.wait(for: "the edit") { try bed.value("profile.name") == "Grace" && events > 0 }
        #expect(events <= 4, "The edit, and what the store makes of it.")
        _ = watch
    }
}

import Foundation
import TestSupport
import Testing

/// `make install` and `make uninstall`, without Swift in the PATH.
@Suite struct InstallTests {
    private let folder = try! TemporaryFolder()

    /// Copies what installing needs, so that another account can read it, and runs a script beside it.
    private func run(_ script: String, asUser: Bool = false) throws -> CommandResult {
        let tree = try folder.folder("tree")
        for name in ["Makefile", "dbus", "systemd", "man", "schema", "examples"] {
            try FileManager.default.copyItem(at: Project.root.appending(path: name), to: URL(fileURLWithPath: "\(tree)/\(name)"))
        }
        try folder.folder("tree/build")
        for name in ["settingsd", "settingsctl"] {
            try FileManager.default.copyItem(atPath: Products.path(name), toPath: "\(tree)/build/\(name)")
        }
        try folder.folder("home")
        try folder.folder("root")
        var command = ["bash", "-euc", "make -s completions BUILD=build\n" + script]
        if asUser, geteuid() == 0 {
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
            let owned = try RunningProcess("chown", ["-R", "65534:65534", folder.path], environment: [:]).result()
            #expect(owned.status == .exited(0), "\(owned)")
        }
        let home = folder.path("home")
        // For the bus ~ is what the account's entry says, whatever HOME does.
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": home, "XDG_DATA_HOME": "\(home)/.local/share", "XDG_RUNTIME_DIR": home,
            "LANG": "C.UTF-8",
        ]
        return try RunningProcess(command[0], Array(command.dropFirst()), environment: environment, folder: tree).result()
    }

    private static let programs = ["bin/settingsctl", "bin/settingsd"]
    private static let files =
        programs
        + [
            "share/bash-completion/completions/settingsctl", "share/dbus-1/interfaces/org.settingsd.Settings1.xml",
            "share/dbus-1/services/org.settingsd.Settings1.service", "share/doc/settingsd/examples/admin.json",
            "share/doc/settingsd/examples/vendor.json", "share/fish/vendor_completions.d/settingsctl.fish",
            "share/man/man1/settingsctl.1", "share/man/man5/settingsd.5", "share/man/man8/settingsd.8",
            "share/settingsd/settings.schema.json", "share/systemd/user/settingsd.service",
            "share/zsh/site-functions/_settingsctl",
        ]

    /// For the whole machine, as somebody does who makes a package: everything below DESTDIR and nothing elsewhere.
    @Test func anInstallationForAllGoesWithoutATrace() throws {
        let result = try run(
            """
            umask 077
            mkdir -p ../root/usr/bin ../root/usr/share/man ../root/etc; touch ../root/usr/share/man/other
            find ../root -printf '%P %m\\n' | sort > ../before
            make -s install BUILD=build PREFIX=/usr DESTDIR="$PWD/../root" > ../said
            (cd ../root/usr && find . -type f -printf '%P %m\\n' | sort) > ../installed
            ! find ../root/usr -newer ../before -type d ! -perm 755 ! -path '*/usr' ! -path '*/bin' ! -path '*/share' ! -path '*/man' | grep .
            grep -h settingsd ../root/usr/share/dbus-1/services/* ../root/usr/share/systemd/user/* | grep -E '^Exec(Start)?='
            make -s install BUILD=build PREFIX=/usr DESTDIR="$PWD/../root" > ../again
            make -s uninstall PREFIX=/usr DESTDIR="$PWD/../root"
            find ../root -printf '%P %m\\n' | sort | diff ../before -
            """)
        #expect(result.status == .exited(0) && result.stderr.isEmpty, "\(result)")
        #expect(result.stdout == "Exec=/usr/bin/settingsd\nExecStart=/usr/bin/settingsd\n")
        let expected = Self.files.map { "\($0) \(Self.programs.contains($0) ? 755 : 644)" } + ["share/man/other 600"]
        #expect(lines(of: "installed") == expected.sorted())
        let prefix = folder.path("tree/../root/usr")
        #expect(lines(of: "said").sorted() == Self.files.map { "\(prefix)/\($0)" }.sorted())
        #expect(lines(of: "again") == lines(of: "said"))
    }

    private func lines(of name: String) -> [String] { (folder.read(name) ?? "").split(separator: "\n").map(String.init) }

    /// For one account that is not root: the programs run, the bus starts the daemon, shells and man find what is theirs.
    @Test func anInstallationForOneselfWorksAndLeavesTheSettings() throws {
        let result = try run(
            """
            make -s install BUILD=build PREFIX='~/.local' > /dev/null
            PATH=~/.local/bin:$PATH
            dbus-run-session -- sh -c 'settingsctl set provider spotify && settingsctl get provider && settingsctl doctor -q'
            man -w settingsctl 5 settingsd
            fish -c "complete -C 'settingsctl set provider spo'"
            zsh -fc 'fpath=(~/.local/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[settingsctl]'
            make -s uninstall PREFIX='~/.local'
            find ~/.local ~/.config -type f | sort
            find ~/.local -depth -type d -empty | sort
            """, asUser: true)
        let home = folder.path("home")
        #expect(result.status == .exited(0), "\(result)")
        #expect(
            result.stdout == """
                spotify
                \(home)/.local/share/man/man1/settingsctl.1
                \(home)/.local/share/man/man5/settingsd.5
                spotify\tSpotify
                _settingsctl
                \(home)/.config/settingsd/settings.json
                \(home)/.local/state/settingsd/journal.jsonl
                \(home)/.local/state/settingsd/lock
                \(home)/.local/bin
                \(home)/.local/share/man

                """, "\(result)")
    }

    @Test func whatCannotBeInstalledIsSaid() throws {
        let result = try run(
            "for p in relative '/a b' '/a|b' '/a%b' ''; do ! make -s install BUILD=build PREFIX=\"$p\" || exit 9; done")
        #expect(result.status == .exited(0) && result.stdout.isEmpty, "\(result)")
        #expect(result.stderr.contains("PREFIX must be an absolute path without spaces"), "\(result)")
        try FileManager.default.removeItem(atPath: folder.path("tree"))
        let unbuilt = try run("! make -s install BUILD=nowhere DESTDIR=\"$PWD/../root\"")
        #expect(unbuilt.status == .exited(0) && unbuilt.stderr.contains("make build"), "\(unbuilt)")
    }

    @Test func helpNamesEveryTargetAndVariable() throws {
        let help = try run("make -s help").stdout
        let makefile = try Project.text(of: "Makefile")
        for match in makefile.matches(of: /(?m)^([A-Z_]+) \?=/) {
            #expect(help.contains("\n\(match.1) ") || help.contains("\(match.1)="), "\(match.1)")
        }
        for match in makefile.matches(of: /(?m)^([a-z]+):/) where !["help", "release", "completions"].contains(match.1) {
            #expect(help.contains("make \(match.1) "), "\(match.1)")
        }
    }

    @Test func theDebianPackageHasTheVersionOfThePrograms() throws {
        let version = try Project.output(of: "settingsctl", ["--version"]).split(separator: " ").last?.dropLast() ?? ""
        #expect(try Project.text(of: "debian/changelog").hasPrefix("settingsd (\(version)) "))
    }
}

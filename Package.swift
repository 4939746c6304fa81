// swift-tools-version: 6.2
import Foundation
import PackageDescription

// SETTINGSD_STATIC links the programs without any shared library; it needs libdbus-1.a, libjansson.a, libpcre2-8.a and
// lld.
let isStatic = Context.environment["SETTINGSD_STATIC"] != nil

// The kernel maps a program's file 64 KiB at a time, so each function that a start calls costs as much memory as a whole
// neighbourhood. A section for each function lets the linker put those of usual commands together (link/order, which
// `make order` writes anew). Types are made from what the compiler knows instead of looking conformances up by name, values
// are copied and destroyed without asking the runtime for their type, and the parser of regular expressions, which every
// module would import, stays away.
let staticSettings: [SwiftSetting] = [
    .unsafeFlags(
        [
            "-function-sections", "-disable-concrete-type-metadata-mangled-name-accessors", "-disable-type-layout",
            "-disable-implicit-string-processing-module-import",
        ].flatMap { ["-Xfrontend", $0] })
]
let staticLink: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-executable", "-use-ld=lld"]
            + [
                "--symbol-ordering-file=\(Context.packageDirectory)/link/order", "--no-warn-symbol-ordering",
                "--script=\(Context.packageDirectory)/link/sections.ld",
            ].flatMap { ["-Xlinker", $0] })
]

// Every Swift target is in Swift 6 mode with these on top; the modules that touch C leave out the
// memory-safety check, since there nearly every line would carry the word `unsafe`.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (isStatic ? staticSettings : [])
let safe = strict + [.strictMemorySafety()]

let staticStubs: [Target.Dependency] = isStatic ? ["CDBusStatic"] : []
let link = isStatic ? staticLink : []
let commandLink = link + (isStatic ? [.unsafeFlags(["-Xlinker", "--wrap=_dbus_socket_can_pass_unix_fd"])] : [])

// One example shows GLib's main loop; it is left out where GLib's headers are not.
let hasGLib = FileManager.default.fileExists(atPath: "/usr/include/glib-2.0/glib.h")

// SETTINGSD_FUZZ makes the fuzzer, which links with `--sanitize fuzzer` only, of what is else a test; see `make fuzz`.
let isFuzzing = Context.environment["SETTINGSD_FUZZ"] != nil
let fuzzedModules: [Target.Dependency] = [
    "CDBus", "DBus", "EventLoop", "JSON", "SettingsBus", "SettingsClient", "SettingsCommand", "SettingsJSON", "SettingsModel",
    "SettingsSchemas", "SettingsService", "SettingsStore",
]
let fuzz: Target =
    isFuzzing
    ? .executableTarget(
        name: "Fuzzer", dependencies: fuzzedModules, path: "Tests/Fuzz", exclude: ["Tests", "corpus", "words.dict"],
        swiftSettings: strict)
    : .testTarget(
        name: "FuzzTests", dependencies: fuzzedModules, path: "Tests/Fuzz", exclude: ["Fuzzer", "corpus", "words.dict"],
        swiftSettings: strict)

let package = Package(
    name: "settingsd",
    products: [
        .executable(name: "settingsd", targets: ["settingsd"]),
        .executable(name: "settingsctl", targets: ["settingsctl"]),
        .library(name: "SettingsClient", targets: ["SettingsClient", "EventLoop"]),
    ],
    targets: [
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .target(name: "CLinux"),
        .target(name: "CDBusStatic"),

        .target(name: "Spelling", swiftSettings: safe),
        .target(name: "EventLoop", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "DBus", dependencies: ["CDBus", "EventLoop", "Spelling"], swiftSettings: strict),
        .target(name: "JSON", dependencies: ["CJansson", "CLinux"], swiftSettings: strict),

        .target(name: "SettingsModel", dependencies: ["Spelling"], swiftSettings: safe),
        .target(
            name: "SettingsStore", dependencies: ["CLinux", "EventLoop", "JSON", "SettingsJSON", "SettingsModel"],
            swiftSettings: strict),
        .target(name: "SettingsJSON", dependencies: ["JSON", "SettingsModel"], swiftSettings: safe),
        .target(
            name: "SettingsSchemas", dependencies: ["CPCRE2", "JSON", "SettingsJSON", "SettingsModel", "Spelling"],
            swiftSettings: strict),
        .target(name: "SettingsBus", dependencies: ["CLinux", "DBus", "SettingsModel", "Spelling"], swiftSettings: safe),
        .target(
            name: "SettingsService",
            dependencies: ["CLinux", "EventLoop", "DBus", "SettingsBus", "SettingsModel", "SettingsSchemas", "SettingsStore"],
            swiftSettings: safe),
        .target(
            name: "SettingsClient", dependencies: ["EventLoop", "DBus", "SettingsBus", "SettingsModel", "Spelling"],
            swiftSettings: safe),
        .target(
            name: "SettingsCommand",
            dependencies: [
                "CLinux", "EventLoop", "DBus", "JSON", "SettingsBus", "SettingsClient", "SettingsJSON", "SettingsModel",
                "SettingsSchemas", "SettingsStore",
                "Spelling",
            ], swiftSettings: safe),

        .executableTarget(
            name: "settingsd", dependencies: ["SettingsBus", "SettingsService"] + staticStubs, swiftSettings: safe,
            linkerSettings: link),
        .executableTarget(
            name: "settingsctl", dependencies: ["CLinux", "SettingsCommand"] + staticStubs, swiftSettings: safe,
            linkerSettings: commandLink
        ),

        // Makes the manual and the JSON Schema; see `make generate`.
        .executableTarget(
            name: "Generator",
            dependencies: [
                "DBus", "JSON", "SettingsBus", "SettingsCommand", "SettingsJSON", "SettingsModel", "SettingsService",
                "SettingsStore",
            ], swiftSettings: safe),

        .executableTarget(name: "Hello", dependencies: ["SettingsClient"], path: "Sources/Examples/Hello"),
        .executableTarget(name: "Follow", dependencies: ["SettingsClient"], path: "Sources/Examples/Follow"),
        .executableTarget(name: "Rename", dependencies: ["SettingsClient"], path: "Sources/Examples/Rename"),
        .executableTarget(name: "Zones", dependencies: ["SettingsClient"], path: "Sources/Examples/Zones"),
        .executableTarget(name: "Panel", dependencies: ["SettingsClient"], path: "Sources/Examples/Panel"),
        .executableTarget(name: "Bar", dependencies: ["EventLoop", "SettingsClient"], path: "Sources/Examples/Bar"),
        // What the applications among the examples have in common.
        .target(
            name: "ExampleSupport",
            dependencies: [
                "EventLoop", "JSON", "SettingsBus", "SettingsClient", "SettingsCommand", "SettingsSchemas", "Spelling",
            ],
            path: "Sources/Examples/Shared",
            swiftSettings: strict),
        .executableTarget(
            name: "worldclock", dependencies: ["EventLoop", "ExampleSupport", "SettingsClient", "SettingsCommand", "Spelling"],
            path: "Sources/Examples/WorldClock",
            resources: [.embedInCode("org.settingsd.WorldClock.json")], swiftSettings: strict),
        .executableTarget(
            name: "legal",
            dependencies: ["EventLoop", "ExampleSupport", "JSON", "SettingsClient", "SettingsCommand", "Spelling"],
            path: "Sources/Examples/Legal",
            exclude: ["vendor.json"], resources: [.embedInCode("org.settingsd.Legal.json")], swiftSettings: strict),
        .executableTarget(
            name: "notes", dependencies: ["EventLoop", "ExampleSupport", "SettingsClient", "SettingsCommand"],
            path: "Sources/Examples/Notes",
            resources: [.embedInCode("org.settingsd.Notes.json")], swiftSettings: strict),
        .executableTarget(
            name: "hotels",
            dependencies: ["EventLoop", "ExampleSupport", "JSON", "SettingsClient", "SettingsCommand", "Spelling"],
            path: "Sources/Examples/Hotels",
            resources: [.embedInCode("org.settingsd.Hotels.json"), .embedInCode("sample.json")], swiftSettings: strict),

        .executableTarget(
            name: "Floor", dependencies: ["CDBus"] + staticStubs, path: "Sources/Benchmarks/Floor", linkerSettings: link),
        .executableTarget(
            name: "Starter", dependencies: staticStubs, path: "Sources/Benchmarks/Starter", linkerSettings: link),
        .executableTarget(
            name: "Benchmark", dependencies: ["DBus", "EventLoop", "JSON", "SettingsBus", "SettingsClient", "TestSupport"],
            path: "Sources/Benchmarks/Benchmark"),

        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
        .testTarget(name: "SettingsModelTests", dependencies: ["SettingsModel", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SettingsSchemasTests",
            dependencies: ["JSON", "SettingsJSON", "SettingsModel", "SettingsSchemas", "TestSupport"], swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["DBus", "EventLoop", "SettingsModel"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"], swiftSettings: strict),
        .testTarget(name: "DBusTests", dependencies: ["CDBus", "DBus", "EventLoop", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SettingsStoreTests", dependencies: ["EventLoop", "JSON", "SettingsJSON", "SettingsModel", "SettingsStore"],
            swiftSettings: strict),
        .testTarget(
            name: "SettingsCommandTests", dependencies: ["DBus", "SettingsClient", "SettingsCommand", "SettingsModel"],
            swiftSettings: strict),
        .testTarget(
            name: "SettingsClientTests", dependencies: ["SettingsClient", "SettingsModel"], swiftSettings: strict),
        .executableTarget(
            name: "ClientProbe", dependencies: ["EventLoop", "SettingsClient"], path: "Tests/ClientProbe", swiftSettings: strict),
        .testTarget(
            name: "SettingsBusTests", dependencies: ["DBus", "SettingsBus", "SettingsModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SettingsServiceTests", dependencies: ["SettingsModel", "SettingsService", "SettingsStore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Bar", "Benchmark", "CDBus", "ClientProbe", "DBus", "EventLoop", "Floor", "Follow", "Hello", "JSON", "Panel",
                "Rename", "Starter", "Zones", "SettingsBus", "legal",
                "SettingsClient", "SettingsModel", "TestSupport", "hotels", "notes", "settingsctl", "settingsd", "worldclock",
            ],
            path: "Tests/EndToEnd", exclude: ["allocations.c"], swiftSettings: strict),
        .testTarget(
            name: "HotelsTests",
            dependencies: ["ExampleSupport", "SettingsCommand", "TestSupport", "hotels", "settingsctl", "settingsd"],
            swiftSettings: strict),
        .testTarget(
            name: "NotesTests",
            dependencies: ["ExampleSupport", "SettingsCommand", "TestSupport", "notes", "settingsctl", "settingsd"],
            swiftSettings: strict),
        .testTarget(
            name: "PackagingTests",
            dependencies: [
                "Generator", "SettingsCommand", "SettingsModel", "SettingsService", "TestSupport", "settingsctl", "settingsd",
            ],
            path: "Tests/Packaging", exclude: ["check", "validate.py"], swiftSettings: strict),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "DBus", "EventLoop", "JSON", "SettingsBus", "SettingsModel", "SettingsStore", "TestSupport", "settingsctl",
                "settingsd",
            ],
            path: "Tests/Faults", exclude: ["faultyfiles.c"], swiftSettings: strict),
        fuzz,
    ],
    swiftLanguageModes: [.v6]
)

if hasGLib {
    package.targets += [
        .systemLibrary(name: "CGLib", path: "Sources/Examples/CGLib", pkgConfig: "glib-2.0"),
        .executableTarget(name: "Label", dependencies: ["CGLib", "SettingsClient"], path: "Sources/Examples/Label"),
    ]
    package.targets.first { $0.name == "EndToEndTests" }?.dependencies.append("Label")
}

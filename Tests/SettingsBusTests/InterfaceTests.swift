import DBus
import Foundation
import SettingsBus
import SettingsModel
import Testing

@Suite struct InterfaceTests {
    let interfaces = SettingsInterfaces.interfaces(for: .builtIn)

    @Test func everyMemberAndArgumentIsDocumentedInSentences() {
        var texts: [(String, String)] = []
        for interface in interfaces {
            texts.append((interface.name.rawValue, interface.summary))
            for method in interface.methods {
                texts.append((method.name.rawValue, method.summary))
                texts += (method.inputs + method.outputs).map { ("\(method.name).\($0.name)", $0.summary) }
            }
            for signal in interface.signals {
                texts.append((signal.name.rawValue, signal.summary))
                texts += signal.arguments.map { ("\(signal.name).\($0.name)", $0.summary) }
            }
            texts += interface.properties.map { ($0.name.rawValue, $0.summary) }
        }
        for (name, text) in texts {
            #expect(text.hasSuffix("."), "\(name) is documented by \"\(text)\"")
            #expect(!text.contains(".."), "\(name)")
        }
    }

    private static let plain = Schema(
        application: "org.example.Plain",
        settings: [
            Setting("letter", .string(StringRule(minimumLength: 1, maximumLength: 1)), default: "x", ""),
            Setting(
                "tags", .list(ListRule(of: .string(StringRule(maximumLength: 3)), maximumCount: 1)), default: .strings([]), "Tags"
            ),
        ],
        actions: [
            ActionDeclaration(
                "Act", "",
                arguments: [.init("one", ValueRule.boolean, ""), .init("two", .integer(Bounds()), optional: true, "")], [])
        ])

    @Test func whatHasNoSummaryHasNoEmptySentence() throws {
        let interfaces = SettingsInterfaces.interfaces(for: Self.plain)
        let act = try #require(interfaces[1].methods.first { $0.name == "Act" })
        #expect(act.summary == "")
        #expect(act.inputs.map(\.summary) == ["", "Any of: two (x). What is absent stays as it is."])
        #expect(
            interfaces[2].properties.map(\.summary) == [
                "Setting letter. It has exactly 1 character. Default: x.",
                "Tags (setting tags). A list of items: It has at most 3 characters. It has at most 1 item. Default: empty.",
            ])
    }

    @Test(arguments: [Schema.builtIn, plain, Schema(application: "org.example.Empty", settings: [])])
    func aFaceNamesTheObjectsInterfaces(_ schema: Schema) {
        let names = SettingsInterfaces.interfaces(for: schema).map(\.name)
        #expect(SettingsFace.of(schema).interfaces == names)
        if !schema.application.isEmpty {
            #expect(names.last == SettingsNames.settingsInterface(ofApplication: schema.application))
        }
    }

    @Test func theFixedInterfaceDeclaresEachNamedMemberOnce() throws {
        let fixed = try #require(interfaces.first)
        #expect(fixed.name == SettingsNames.interface)
        #expect(Set(fixed.methods.map(\.name)) == Set(SettingsMethod.allCases.map(\.member)))
        #expect(fixed.methods.count == SettingsMethod.allCases.count)
        #expect(fixed.signals.map(\.name) == SettingsSignal.allCases.map(\.member))
        #expect(fixed.properties.map(\.name) == SettingsProperty.allCases.map(\.member))
    }

    @Test func eachSettingIsAPropertyOfItsSectionsInterface() {
        let face = SettingsFace.builtIn(.builtIn)
        #expect(face.properties.map(\.key) == Schema.builtIn.keys)
        #expect(face.property(ofKey: "provider.id")?.interface == "org.settingsd.Settings1.Provider")
        #expect(face.property(ofKey: "provider.id")?.name == "Id")
        #expect(face.property(ofKey: "provider") == nil)
        for property in face.properties {
            #expect(face.key(ofProperty: property.name.rawValue, in: property.interface) == property.key)
            let declared = interfaces.first { $0.name == property.interface }?.properties.first { $0.name == property.name }
            #expect(declared?.access == .readWrite)
            #expect(declared?.changes == .announced)
            #expect(declared?.signature == Schema.builtIn.setting(named: property.key)?.type.signature)
        }
        #expect(face.key(ofProperty: "Name", in: "org.settingsd.Settings1.Support") == nil)
    }

    @Test func eachActionIsAMethodWithItsRequiredArgumentsInOrderAndTheOptionalOnesTogether() throws {
        let actions = try #require(interfaces.first { $0.name == SettingsNames.actionsInterface })
        #expect(actions.methods.map(\.name.rawValue) == Schema.builtIn.actions.map(\.name))
        let signatures = Dictionary(
            uniqueKeysWithValues: actions.methods.map { method in
                let types = { (arguments: [Interface.Argument]) in arguments.map(\.signature.rawValue).joined() }
                return (method.name.rawValue, "\(types(method.inputs)) \(types(method.outputs))")
            })
        #expect(signatures["SelectProvider"] == "s t")
        #expect(signatures["UpdateProfile"] == "a{sv} t")
        #expect(signatures["SetSupportLink"] == "ss t")
        #expect(signatures["OpenSupportLink"] == "s ts")
        #expect(signatures["ResetValues"] == "as t")
        #expect(signatures["Undo"] == " t")
    }

    @Test func anApplicationsSettingsAreInOneInterfaceAtAPathOfItsOwn() throws {
        let schema = Schema(
            application: "org.example.world-clock",
            settings: [
                Setting("zones", .list(ListRule(of: .string(StringRule()))), default: .strings([]), "Zones"),
                Setting("meeting.start", .integer(Bounds()), default: .integer(8), "First hour"),
            ])
        let face = SettingsFace.application(schema)
        #expect(face.path.rawValue == "/org/settingsd/Settings1/apps/org_2eexample_2eworld_2dclock")
        #expect(SettingsNames.application(ofPath: face.path) == "org.example.world-clock")
        #expect(SettingsNames.application(ofPath: SettingsNames.path) == "")
        #expect(SettingsNames.application(ofPath: SettingsNames.applicationsPath) == nil)
        #expect(face.actionsInterface == "org.example.world_clock.Actions")
        #expect(face.propertyInterfaces == ["org.example.world_clock.Settings"])
        #expect(face.properties.map(\.name) == ["Zones", "MeetingStart"])
        let interfaces = SettingsInterfaces.interfaces(for: schema, face: face)
        #expect(interfaces.map(\.name) == [SettingsNames.interface, face.actionsInterface] + face.propertyInterfaces)
        #expect(interfaces[2].properties.map(\.signature) == ["as", "x"])
        #expect(interfaces[1].methods.map(\.name.rawValue) == ActionDeclaration.common.map(\.name))
    }

    @Test func namesOfLongerKeysAreCamelCase() {
        #expect(SettingsNames.propertyName(forKey: "meeting.start_hour") == "StartHour")
        #expect(SettingsNames.propertyName(forKey: "a.b.c-d") == "BCD")
        #expect(SettingsNames.interface(forSection: "world_clock") == "org.settingsd.Settings1.WorldClock")
    }

    @Test func theCommittedInterfaceFileIsWhatTheProgramPrints() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let file = try String(contentsOf: root.appending(path: "dbus/org.settingsd.Settings1.xml"), encoding: .utf8)
        #expect(file == SettingsInterfaces.xml(for: .builtIn), "Run `make generate`.")
    }
}

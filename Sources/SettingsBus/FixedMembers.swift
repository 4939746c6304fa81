internal import DBus
internal import SettingsModel

/// The members that the object of every schema has: `org.settingsd.Settings1`, documented.
enum FixedMembers {
    static let interface = Interface(
        name: SettingsNames.interface, summary: summary,
        methods: reading + changing + following, signals: signals, properties: properties)

    /// Error names without their common beginning.
    static func documented(_ errors: [SettingsError.Name]) -> [String] {
        SettingsError.Name.allCases.filter(errors.contains).map(\.rawValue)
    }

    static let newRevision = "The revision after the call: one more than before, or the same where nothing changed."

    private static let changeErrors: [SettingsError.Name] = [
        .tooLarge, .unknownKey, .invalidArgument, .invalidValue, .locked, .conflict, .readOnly, .documentDamaged, .storageFailed,
    ]
    private static let options = Interface.Argument(
        "options", "a{sv}",
        "expected_revision (t): refuse with Conflict unless it is the current revision. Any other is InvalidArgs; empty: none.")

    private static let summary = """
        The settings of one user, shared by all applications of the session.

        A setting has a dotted key (profile.name), a D-Bus type and an effective value, which comes from the first of \
        these that has one: a locked value of the administrator, the user's own document, the administrator's \
        defaults, the vendor's defaults, the built-in default.

        A change is a transaction: one or more actions, applied all or none. It is answered after it is durable; then \
        come Changed, PropertiesChanged of the interfaces concerned, and ActionDispatched for each action, in this \
        order. Each transaction that changes a user's value, and each change of a layer, makes the revision grow by one. \
        Reads answer what is durable: one that is sent before a change was answered may still see the old values.

        To follow the settings: subscribe to Changed, call ReadAll, ignore signals up to its revision, apply the later \
        ones. When a revision is left out, or the name gets a new owner, call ReadAll again (or ChangesSince).

        Newer daemons may have further keys, members, options, actions, details and choices, never other types for \
        those that exist: ignore what you do not know.

        Applications have settings of their own: an object for each whose schema is installed, at \
        /org/settingsd/Settings1/apps/ and the application's id as sd_bus_path_encode(3) writes it, with this interface, \
        ID.Settings (a property for each setting) and ID.Actions (a method for each action). /org/settingsd/Settings1 has \
        org.freedesktop.DBus.ObjectManager, which lists these objects and announces them as schemas come, change and go.

        Errors are org.settingsd.Settings1.Error. and one of these names; their messages are for people:
        \(SettingsError.Name.allCases.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "\n"))

        A call may have 1 MiB as on the wire, strings of 64 KiB and 1,000 actions.
        """
}

extension FixedMembers {
    private static let reading: [Interface.Method] = [
        .init(
            SettingsMethod.readAll.member,
            outputs: [
                .init("revision", "t", "The revision at which all of the values stand."),
                .init("values", "a{sv}", "Every setting's effective value by key."),
            ], summary: "Reads every setting's effective value."),
        .init(
            SettingsMethod.read.member, inputs: [.init("key", "s", "A key or an alias: profile.name.")],
            outputs: [.init("value", "v", "The effective value, of the setting's type.")],
            summary: "Reads one setting's effective value.", errors: documented([.unknownKey])),
        .init(
            SettingsMethod.describe.member, inputs: [.init("keys", "as", "Keys or aliases; empty: every setting.")],
            outputs: [
                .init("revision", "t", "The revision at which values and sources stand."),
                .init(
                    "settings", "a{sa{sv}}",
                    """
                    By key: type (s, the D-Bus type), kind (s: choice, or as in JSON Schema: string, email, uri, \
                    boolean, integer, number, array and so on), default and value (of the type), source (s: locked, user, admin, vendor, default), locked (b), summary (s). Where they apply: \
                    user_value (of the type; the user's own, even where a lock keeps it from being in force), \
                    source_file (s, the layer's file), problem (s, what is wrong with what the document holds in its place), choices (as), pattern (s, a regular expression for further \
                    choices), schemes (as), minimum, maximum (of the type), minimum_length, maximum_length (t, \
                    grapheme clusters), choice_details (a{sa{sv}}, by choice: name (s), links (as, what its links begin with), mpris (as, what follows \
                    org.mpris.MediaPlayer2. in its players' bus names)); of a list minimum_items, maximum_items (t), unique (b) and \
                    item (a{sv}: type, kind and what else applies to each item); of a record fields (a{sa{sv}}, by name \
                    the same, and required (b), summary (s)). Treat an unknown kind as free text of the type.
                    """),
            ], summary: "Says everything about settings: values, sources, rules.",
            errors: documented([.unknownKey])),
        .init(
            SettingsMethod.listActions.member,
            outputs: [
                .init(
                    "actions", "a{sa{sv}}",
                    "By name: summary (s) and arguments (a{ss}, argument name to D-Bus type).")
            ], summary: "Lists the actions that Dispatch takes."),
    ]

    private static let changing: [Interface.Method] = [
        .init(
            SettingsMethod.write.member,
            inputs: [.init("values", "a{sv}", "New user values by key, each of its setting's type."), options],
            outputs: [.init("revision", "t", newRevision)],
            summary: "Sets user values, all or none: one action SetValues.",
            errors: documented(changeErrors)),
        .init(
            SettingsMethod.reset.member, inputs: [.init("keys", "as", "Keys or aliases; none is fine."), options],
            outputs: [.init("revision", "t", newRevision)],
            summary: "Takes user values away, so that the layers below decide: one action ResetValues.",
            errors: documented(changeErrors.filter { $0 != .invalidValue })),
        .init(
            SettingsMethod.dispatch.member,
            inputs: [
                .init(
                    "actions", "a(sa{sv})",
                    "Actions in order: name, and arguments by name, as ListActions has them. At most 1,000; none is fine."),
                options,
            ], outputs: [.init("revision", "t", newRevision)],
            summary: "Carries out a list of actions as one transaction, all or none. Undo and Redo stand alone.",
            errors: documented(changeErrors + [.unknownAction, .nothingToUndo])),
        .init(
            SettingsMethod.preview.member, inputs: [.init("actions", "a(sa{sv})", "As for Dispatch.")],
            outputs: [.init("values", "a{sv}", "The effective values that Dispatch would change, by key.")],
            summary: """
                Answers what Dispatch would change and changes nothing. Fails as Dispatch would, but for what only \
                the write itself can tell.
                """,
            errors: documented(
                changeErrors.filter { $0 != .storageFailed && $0 != .conflict } + [.unknownAction, .nothingToUndo])),
    ]

    private static let following: [Interface.Method] = [
        .init(
            SettingsMethod.changesSince.member,
            inputs: [.init("revision", "t", "The revision up to which the caller knows the changes.")],
            outputs: [
                .init("revision", "t", "The current revision."),
                .init(
                    "complete", "b",
                    """
                    False where the history does not reach back so far, the changes are too long for one answer, or the \
                    revision is ahead: call ReadAll.
                    """),
                .init(
                    "changes", "a(ta{sv}a{sv})",
                    "Every change after that revision, oldest first, with the arguments of Changed; none if not complete."),
            ], summary: "Answers the changes that a caller has missed."),
        .init(
            SettingsMethod.reload.member,
            summary: """
                Reads the document and every layer's file again; returns when that is done and its changes are durable. \
                What is broken goes to Problems and is no error here.
                """),
    ]

    private static let signals: [Interface.Signal] = [
        .init(
            SettingsSignal.changed.member,
            arguments: [
                .init("revision", "t", "The revision that the transaction made."),
                .init("values", "a{sv}", "The new effective values, by key; empty where only a user value changed."),
                .init(
                    "details", "a{sv}",
                    """
                    previous (a{sv}): the effective values before, for the same keys. actions (as): the names of the \
                    actions; empty for files and layers. origin (s): bus (a call), file (the user edited the document), \
                    layer (a file of the administrator or vendor). application (s): the caller's app id, desktop id or \
                    program name, for people and not for permission; empty for files and layers. time (t): microseconds \
                    since the epoch. Ignore details that you do not know.
                    """),
            ], summary: "One transaction, after it is durable. Each comes once, in the order of revisions."),
        .init(
            SettingsSignal.actionDispatched.member,
            arguments: [
                .init("action", "s", "The action's name."),
                .init("arguments", "a{sv}", "Its arguments by name, aliases of keys resolved."),
                .init("revision", "t", "The revision of its transaction; the current one where it changes nothing."),
            ],
            summary: """
                An action of a transaction that changed something, after Changed; and every action that changes nothing by \
                itself, which asks whoever is concerned to do something, as OpenSupportLink to open a link.
                """),
    ]

    private static let properties: [Interface.Property] = [
        .init(
            SettingsProperty.revision.member, "t", changes: .silent, summary: "The current revision; Changed says when it grows."),
        .init(SettingsProperty.version.member, "s", changes: .constant, summary: "The daemon's version."),
        .init(
            SettingsProperty.instance.member, "s", changes: .constant,
            summary: "An identifier that is new each time the daemon starts."),
        .init(
            SettingsProperty.files.member, "a{ss}", changes: .constant,
            summary: """
                The files in use: document, journal, lock, admin, vendor. The last two are lists joined by ':', the most \
                important first.
                """),
        .init(
            SettingsProperty.problems.member, "as", changes: .announced,
            summary: "What is wrong now and what to do about it, one sentence each; empty when all is well."),
    ]
}

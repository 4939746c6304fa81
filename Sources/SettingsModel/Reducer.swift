internal import Spelling

/// The pure function from a document and actions to edits: the only way in which anything changes.
public struct Reducer: Sendable {
    /// The settings and actions that are known.
    public let schema: Schema
    /// The values below the user's, and the locks.
    public let layers: Layers

    /// Makes a reducer for a schema and the layers beside the user's document.
    public init(schema: Schema, layers: Layers) {
        self.schema = schema
        self.layers = layers
    }

    /// What a list of actions would do.
    public struct Outcome: Hashable, Sendable {
        /// The changes of user values, in schema order; empty: the transaction is a no-op.
        public var edits: [Edit] = []
        /// The new effective values of the keys whose effective value changed.
        public var values: [String: SettingValue] = [:]
        /// Their effective values before.
        public var previous: [String: SettingValue] = [:]
        /// What actions answer besides the revision, by the answer's name.
        public var answers: [String: SettingValue] = [:]
        /// The actions as they were carried out: aliases of keys resolved.
        public var actions: [Action] = []

        /// A no-op.
        public init() {}
    }

    /// Applies actions in order, all or none.
    ///
    /// - Parameters:
    ///   - facts: what the actions find out about the world; the same ones give the same outcome.
    ///   - refused: what the document holds that has no effect.
    /// - Throws: `UnknownKey`, `UnknownAction`, `InvalidArgument`, `InvalidValue`, `NothingToUndo` or `TooLarge` of the
    ///   first action at fault, else `Locked`.
    public func reduce(
        _ document: Document, history: History, _ actions: [Action], facts: Facts, refused: RefusedValues = .none
    ) throws(SettingsError) -> Outcome {
        var facts = facts
        var effort = Effort.request
        var draft = Draft(document: document, schema: schema, layers: layers, refused: refused.keys)
        var answers: [String: SettingValue] = [:]
        var carriedOut: [Action] = []
        for action in actions {
            let declaration = try schema.action(action.name)
            if actions.count > 1, ActionDeclaration.steppingOverOthers.contains(declaration.name) {
                throw SettingsError(.invalidArgument, "\(action.name) stands alone in its transaction; send it by itself")
            }
            let checked = try declaration.checked(action, schema: schema, &effort)
            draft.beginAction()
            for step in declaration.steps {
                if let setting = try changed(by: step, of: checked), draft.isRefused(setting.key),
                    layers.lock(on: setting.key) == nil
                {
                    throw refused.refusal(of: checked, on: setting, application: schema.application)
                }
                try perform(step, of: checked, on: &draft, history: history, answers: &answers, &facts, &effort)
            }
            draft.endAction()
            carriedOut.append(checked)
        }
        var outcome = draft.outcome
        try draft.checkLocks(of: outcome.edits)
        outcome.answers = answers
        outcome.actions = carriedOut
        return outcome
    }

    /// What an edit of the document by hand does: new user values, of which locked ones stay as they were.
    ///
    /// - Parameters:
    ///   - values: the user's values after, all of them valid.
    ///   - touched: the keys that the edit changed; the others stay as they are in `document`.
    public func reduceEdit(_ document: Document, values: [String: SettingValue], touched: Set<String>) -> Outcome {
        var draft = Draft(document: document, schema: schema, layers: layers)
        draft.beginAction()
        for setting in schema.settings where touched.contains(setting.key) && layers.lock(on: setting.key) == nil {
            draft.set(setting.key, to: values[setting.key])
        }
        draft.endAction()
        return draft.outcome
    }

    /// What a change of the layers does to the effective values, and through the cascades to user values.
    ///
    /// - Parameters:
    ///   - old: the layers before; the reducer's own are the new ones.
    ///   - known: effective values of watched settings that user values go with, where those are of an earlier time than
    ///     `old`.
    public func reduceLayers(_ document: Document, from old: Layers, since known: [String: SettingValue] = [:]) -> Outcome {
        var draft = Draft(document: document, schema: schema, layers: layers, before: old)
        draft.compare(with: known)
        draft.endAction()
        var outcome = draft.outcome
        if outcome.edits.isEmpty { return outcome }
        for (key, value) in known where outcome.values[key] == nil && draft.effective(key) != value {
            outcome.previous[key] = value
            outcome.values[key] = draft.effective(key)
        }
        return outcome
    }

    /// The effective values of the settings that cascades watch.
    public func watchedValues(_ document: Document) -> [String: SettingValue] {
        var values: [String: SettingValue] = [:]
        for cascade in schema.cascades {
            guard let setting = schema.setting(named: cascade.watched) else { continue }
            values[setting.key] = layers.resolve(setting, user: document.values[setting.key]).value
        }
        return values
    }

    private func perform(
        _ step: Step, of action: Action, on draft: inout Draft, history: History, answers: inout [String: SettingValue],
        _ facts: inout Facts, _ effort: inout Effort
    ) throws(SettingsError) {
        switch step {
        case .set(let reference, _), .insert(let reference, _, _), .remove(let reference, _), .update(let reference, _, _),
            .toggle(let reference), .toggleField(let reference, _, _), .add(let reference, _):
            let setting = try self.setting(of: reference, in: action)
            let current = draft.effective(setting.key) ?? setting.defaultValue
            if let items = current.items { try effort.spend(on: items, of: setting, for: action) }
            var steps = ValueSteps(action: action, setting: setting, current: current, facts: facts)
            if let value = try steps.value(after: step, &effort) { draft.set(setting.key, to: value) }
            facts = steps.facts
        case .setEach(let argument):
            for (key, value) in action.arguments[argument]?.record ?? [:] { draft.set(key, to: value) }
        case .resetEach(let argument):
            for key in action.arguments[argument]?.strings ?? [] { draft.reset(key) }
        case .reset(let key): draft.reset(key)
        case .resetAll:
            for key in schema.keys where layers.lock(on: key) == nil { draft.reset(key) }
        case .clear(let key, let value):
            draft.reset(key)
            if draft.effective(key) != value { draft.set(key, to: value) }
        case .refuse(let key, let value, let reason):
            if draft.effective(key) == value { throw SettingsError(.invalidArgument, "\(action.name): \(reason)") }
        case .answer(let name, let reference, let reason):
            let setting = try self.setting(of: reference, in: action)
            let value = draft.effective(setting.key)
            if value == "" { throw SettingsError(.invalidArgument, "\(action.name): \(setting.key) \(reason)") }
            answers[name] = value
        case .undo: try draft.take(history.undo(from: draft.start.values), &effort, otherwise: "there is no transaction to undo")
        case .redo:
            try draft.take(history.redo(from: draft.start.values), &effort, otherwise: "there is no undone transaction to redo")
        }
    }

    /// The setting to whose value a step gives another one by what it is; nil for other steps.
    private func changed(by step: Step, of action: Action) throws(SettingsError) -> Setting? {
        switch step {
        case .insert(let reference, _, _), .remove(let reference, _), .update(let reference, _, _), .toggle(let reference),
            .toggleField(let reference, _, _), .add(let reference, _):
            try setting(of: reference, in: action)
        case .set, .setEach, .resetEach, .reset, .resetAll, .clear, .refuse, .answer, .undo, .redo: nil
        }
    }

    private func setting(of reference: KeyReference, in action: Action) throws(SettingsError) -> Setting {
        switch reference {
        case .key(let key): return try schema.setting(key)
        case .argument(let argument): return try schema.setting(action.arguments[argument]?.string ?? "")
        case .member(let section, let argument):
            let name = action.arguments[argument]?.string ?? ""
            if let setting = schema.setting(named: "\(section).\(name)") { return setting }
            let known = schema.settings.filter { $0.section == section }.map(\.name)
            let hint = Suggestion.hint(for: name, among: known, otherwise: "; known are \(Suggestion.list(known))")
            throw SettingsError(.unknownKey, "there is no \(argument) \(name.quoted()) in \(section)\(hint)")
        }
    }
}

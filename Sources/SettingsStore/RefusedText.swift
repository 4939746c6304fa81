internal import JSON
internal import SettingsJSON
internal import SettingsModel

extension RefusedValues {
    /// The values that a document holds but that are not in force.
    ///
    /// - Parameters:
    ///   - kept: as in `DocumentText.kept`.
    ///   - content: what is at the path, for the places.
    init(_ kept: JSONObject, _ content: DocumentFile.Content, path: String, schema: Schema) {
        guard !kept.isEmpty else {
            self = .none
            return
        }
        let settings = schema.settings.filter { kept.value(at: $0.path[...]) != nil }
        self.init(Set(settings.map(\.key))) { setting in
            let fault = kept.member(at: setting.path[...]).flatMap(setting.fault)
            let reason = fault?.message ?? "what stands for \(setting.key) is not in force"
            return "\(path), \(content.place(of: setting.path + (fault?.path ?? []), saying: reason))"
        }
    }
}

extension DocumentFile.Content {
    /// A clause with the place that it is about, where that is known.
    fileprivate func place(of path: [String], saying message: String) -> String {
        guard case .text(let bytes) = self else { return message }
        do throws(DocumentFault) {
            return DocumentText.fault(try DocumentText.parse(bytes), path, message).message
        } catch {
            return message
        }
    }
}

/// Why JSON is no value of a setting.
struct ValueFault: Error {
    /// The way to the part at fault.
    let path: [String]
    let message: String
}

extension Setting {
    /// The valid value that JSON is.
    ///
    /// - Parameter effort: what may still be done for all values of the file.
    func validValue(_ json: JSONValue, _ effort: inout Effort) throws(ValueFault) -> SettingValue {
        let value: SettingValue
        do throws(JSONMisfit) {
            value = try SettingValue(json, for: rule)
        } catch {
            throw ValueFault(path: error.path, message: key + error.message)
        }
        guard let refusal = rule.refusal(of: value, &effort) else { return value }
        throw ValueFault(path: refusal.path, message: effort.refusal("\(key): \(refusal.message)").message)
    }

    /// Why JSON is no value of the setting; nil where it is one.
    fileprivate func fault(in json: JSONValue) -> ValueFault? {
        var effort = Effort.file
        do throws(ValueFault) {
            _ = try validValue(json, &effort)
            return nil
        } catch {
            return error
        }
    }
}

/// What stands deeper in an object, a path being the names from the outside in.
extension JSONObject {
    /// What stands at a path, or in its way.
    public func value(at path: ArraySlice<String>) -> JSONValue? {
        guard let name = path.first, let value = self[name] else { return nil }
        return value.object.map { path.count > 1 ? $0.value(at: path.dropFirst()) : value } ?? value
    }

    /// What stands at a path, or nil.
    public func member(at path: ArraySlice<String>) -> JSONValue? {
        guard let name = path.first, let value = self[name] else { return nil }
        return path.count == 1 ? value : value.object?.member(at: path.dropFirst())
    }

    /// Puts a value at a path, whatever stands in its way; nil removes what stands there or in its way.
    public mutating func setValue(_ value: JSONValue?, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            self[name] = value
            return
        }
        if self[name] == nil, value == nil { return }
        var members = self[name]?.object ?? JSONObject()
        members.setValue(value, at: path.dropFirst())
        self[name] = members.isEmpty ? nil : .object(members)
    }
}

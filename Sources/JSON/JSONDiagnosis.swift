import CJansson

/// Says in words of people what is wrong with a text that jansson refused.
struct JSONDiagnosis {
    static func error(in bytes: [UInt8], from start: Int, _ error: json_error_t) -> JSONError {
        let text = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return JSONError(position: JSONPosition(offset: start + Int(error.position), in: bytes), message: text)
    }
}

/// The keywords of JSON Schema, as far as a schema file knows them.
enum Keywords {
    /// Those that say something for people alone (JSON Schema Validation 2020-12, section 9; Core, section 8).
    static let annotations: Set = ["title", "description", "examples", "$comment", "deprecated"]

    /// The keywords of each type, `type` itself left out.
    static let ofType: [(type: String, keywords: [String])] = [
        ("boolean", []),
        ("integer", ["minimum", "maximum", "enum"]),
        ("number", ["minimum", "maximum", "enum"]),
        ("string", ["minLength", "maxLength", "pattern", "format", "enum"]),
        ("array", ["items", "minItems", "maxItems", "uniqueItems"]),
        ("object", ["properties"]),
    ]

    /// The keywords that a setting has beside its type's, and why nothing else has them.
    static let ofSettings = [
        (name: "default", reason: "a setting has one; what a record or a call leaves out stays absent"),
        (name: "renamedFrom", reason: "a setting alone is found under another key"),
    ]

    static let types = ofType.map(\.type)

    /// Keywords that JSON Schema has and a schema file has not, and what to do without them.
    static let unsupported = [
        "$anchor": "", "$defs": "", "$dynamicAnchor": "", "$dynamicRef": "", "$ref": "repeat what it refers to",
        "$vocabulary": "",
        "additionalItems": "", "additionalProperties": "a record has its fields and no others", "allOf": "", "anyOf": "",
        "const": "use enum with one value", "contains": "", "contentEncoding": "", "contentMediaType": "", "contentSchema": "",
        "definitions": "", "dependencies": "", "dependentRequired": "", "dependentSchemas": "", "else": "",
        "exclusiveMaximum": "use maximum", "exclusiveMinimum": "use minimum", "if": "", "maxContains": "", "maxProperties": "",
        "minContains": "", "minProperties": "", "multipleOf": "", "not": "", "oneOf": "", "patternProperties": "",
        "prefixItems": "", "propertyNames": "", "readOnly": "an administrator can lock a setting",
        "required": "every setting has a default", "then": "", "unevaluatedItems": "", "unevaluatedProperties": "",
        "writeOnly": "",
    ]
}

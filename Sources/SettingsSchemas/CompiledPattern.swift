internal import CPCRE2
internal import SettingsModel

/// A regular expression that PCRE2 has compiled, matched within a bounded number of steps.
///
/// The flavour is ECMA-262's, which JSON Schema asks for (JSON Schema Core 2020-12, section 6.4), as near as PCRE2 comes to it.
/// Nothing changes a compiled expression, so that any thread may match with it (pcre2api(3), "Multithreading").
final class CompiledPattern: @unchecked Sendable {
    /// Why a text is no regular expression.
    struct Fault: Error {
        let message: String
        /// Where in the text, in characters from 1.
        let place: Int
    }

    /// The longest source, in bytes.
    static let largestSource = 4096

    private let code: OpaquePointer

    /// - Throws: what is wrong with the source, and where.
    init(_ source: String) throws(Fault) {
        let utf8 = Array(source.utf8)
        if utf8.count > Self.largestSource {
            throw Fault(message: "it has \(utf8.count) bytes; at most \(Self.largestSource) are allowed", place: 1)
        }
        let context = pcre2_compile_context_create_8(nil)
        defer { pcre2_compile_context_free_8(context) }
        pcre2_set_compile_extra_options_8(context, PCRE2_EXTRA_ALT_BSUX)
        // Of the characters that PCRE2 can take for ends of lines, these come nearest to those that . does not match.
        pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))
        pcre2_set_parens_nest_limit_8(context, 100)
        // The callouts, one before each item, are what counts the steps.
        let options =
            PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C
            | PCRE2_AUTO_CALLOUT
        var error: Int32 = 0
        var offset = 0
        guard let code = pcre2_compile_8(utf8, utf8.count, options, &error, &offset, context) else {
            let before = String(decoding: utf8.prefix(offset), as: UTF8.self)
            throw Fault(message: Self.message(error), place: before.count + 1)
        }
        self.code = code
    }

    deinit { pcre2_code_free_8(code) }

    /// Looks for the expression in a text.
    func judge(_ text: String) -> Pattern.Verdict {
        var text = text
        return text.withUTF8 { utf8 in
            let data = pcre2_match_data_create_8(1, nil)
            let context = pcre2_match_context_create_8(nil)
            defer {
                pcre2_match_context_free_8(context)
                pcre2_match_data_free_8(data)
            }
            pcre2_set_heap_limit_8(context, Self.heapLimit)
            var budget = Self.budget(for: utf8.count)
            let result = withUnsafeMutablePointer(to: &budget) { budget in
                pcre2_set_callout_8(context, countStep, budget)
                return pcre2_match_8(code, utf8.baseAddress, utf8.count, 0, 0, data, context)
            }
            switch result {
            case 0...: return .matches
            case PCRE2_ERROR_NOMATCH: return .differs
            case PCRE2_ERROR_CALLOUT: return .undecided("it takes too many steps")
            default: return .undecided(Self.message(result))
            }
        }
    }

    /// The steps that one match may take: about a millisecond's worth for a short text, of which a call, a document or a
    /// schema may have many, and some hundred milliseconds' for the longest.
    private static func budget(for bytes: Int) -> Int { min(20_000 + 64 * bytes, 4_000_000) }
    /// KiB.
    private static let heapLimit: UInt32 = 16_384

    private static func message(_ code: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
    }
}

/// Takes a step off the budget; ends the match when it is spent.
///
/// PCRE2's own match limit counts anew at each place where a match may begin, and one item may pass over the whole rest of
/// a text, so that both the number of steps and what is left of the text count here.
private func countStep(_ block: UnsafeMutablePointer<pcre2_callout_block_8>?, _ budget: UnsafeMutableRawPointer?) -> Int32 {
    guard let block, let budget = budget?.assumingMemoryBound(to: Int.self) else { return PCRE2_ERROR_CALLOUT }
    budget.pointee -= 1 + (block.pointee.subject_length - block.pointee.current_position) / 1024
    return budget.pointee > 0 ? 0 : PCRE2_ERROR_CALLOUT
}

extension Pattern {
    /// A pattern that PCRE2 matches.
    ///
    /// - Throws: what is wrong with the source.
    init(compiling source: String) throws(CompiledPattern.Fault) {
        let compiled = try CompiledPattern(source)
        self.init(source: source) { compiled.judge($0) }
    }
}

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
    private let source: [UInt8]

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
        self.source = utf8
    }

    deinit { pcre2_code_free_8(code) }

    /// Looks for the expression in a text.
    ///
    /// - Parameter limit: the steps that it may take.
    /// - Returns: the steps that it took, too.
    func judge(_ text: String, _ limit: Int) -> (Pattern.Verdict, steps: Int) {
        var text = text
        return text.withUTF8 { utf8 in
            let data = pcre2_match_data_create_8(1, nil)
            let context = pcre2_match_context_create_8(nil)
            defer {
                pcre2_match_context_free_8(context)
                pcre2_match_data_free_8(data)
            }
            pcre2_set_heap_limit_8(context, Self.heapLimit)
            var steps = 0
            let result = source.withUnsafeBufferPointer { source in
                var count = StepCount(limit: limit, source: source)
                defer { steps = count.steps }
                return withUnsafeMutablePointer(to: &count) { count in
                    pcre2_set_callout_8(context, countStep, count)
                    return pcre2_match_8(code, utf8.baseAddress, utf8.count, 0, 0, data, context)
                }
            }
            switch result {
            case 0...: return (.matches, steps)
            case PCRE2_ERROR_NOMATCH: return (.differs, steps)
            default: return (.undecided(Self.message(result)), steps)
            }
        }
    }

    /// KiB.
    private static let heapLimit: UInt32 = 16_384

    private static func message(_ code: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = pcre2_get_error_message_8(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
    }
}

/// What a match has done so far, in steps of sixteen bytes that it passes over or one item of the expression that it tries.
private struct StepCount {
    let limit: Int
    let source: UnsafeBufferPointer<UInt8>
    /// 256ths.
    var spent = 0
    var position = 0
    /// How long the item is that was tried last, as it is written.
    var itemLength = 0

    var steps: Int { spent / 256 }
}

/// Counts an item that is about to be tried, and what the one before has passed over; ends the match at the limit.
///
/// PCRE2's own match limit counts anew at each place where a match may begin, and one item may pass over the whole rest of
/// a text.
private func countStep(_ block: UnsafeMutablePointer<pcre2_callout_block_8>?, _ count: UnsafeMutableRawPointer?) -> Int32 {
    guard let block, let count = count?.assumingMemoryBound(to: StepCount.self) else { return PCRE2_ERROR_CALLOUT }
    let position = block.pointee.current_position
    let passed = abs(position - count.pointee.position) + hiddenWork(of: block.pointee, in: count.pointee.source)
    // A class is looked through for each character.
    count.pointee.spent += 256 + (passed + 1) * (16 + count.pointee.itemLength)
    count.pointee.position = position
    count.pointee.itemLength = block.pointee.next_item_length
    return count.pointee.spent < 256 * count.pointee.limit ? 0 : PCRE2_ERROR_CALLOUT
}

/// The bytes that an item may look at without coming to the next one: those of a back reference, of the fixed part of a
/// repetition, of a grapheme cluster.
private func hiddenWork(of block: pcre2_callout_block_8, in source: UnsafeBufferPointer<UInt8>) -> Int {
    let item = source[block.pattern_position..<block.pattern_position + block.next_item_length]
    guard let first = item.first, let last = item.last, first != UInt8(ascii: ")") else { return 0 }
    let rest = block.subject_length - block.current_position
    var work = 0
    if first == UInt8(ascii: "\\"), let kind = item.dropFirst().first {
        if kind == UInt8(ascii: "X") { return rest }
        if "123456789gk".utf8.contains(kind) { work = longestGroup(of: block) }
    } else if first == UInt8(ascii: "("), item.count > 3 {
        work = longestGroup(of: block)
    }
    if "}+?".utf8.contains(last), let start = item.lastIndex(of: UInt8(ascii: "{")) {
        let digits = item[(start + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        work = max(1, work) * digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
    }
    return min(rest, work)
}

/// The bytes of the longest group that was captured so far.
private func longestGroup(of block: pcre2_callout_block_8) -> Int {
    (1..<max(1, Int(block.capture_top))).reduce(0) { longest, group in
        max(longest, block.offset_vector[2 * group + 1] - block.offset_vector[2 * group])
    }
}

extension Pattern {
    /// A pattern that PCRE2 matches.
    ///
    /// - Throws: what is wrong with the source.
    init(compiling source: String) throws(CompiledPattern.Fault) {
        let compiled = try CompiledPattern(source)
        self.init(source: source) { compiled.judge($0, $1) }
    }
}

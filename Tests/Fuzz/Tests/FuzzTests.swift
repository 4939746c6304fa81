import Foundation
import Testing

/// What the fuzzer has found so far, and bounded random changes of it with a fixed seed.
@Suite struct FuzzTests {
    private func corpus(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("corpus/\(target.rawValue)")
        let found = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, Array(try Data(contentsOf: folder.appendingPathComponent(name))))
        }
        return found + (target == .message ? MessageSeeds.all : [])
    }

    @Test(arguments: FuzzTarget.allCases) func whatTheFuzzerHasFoundKeepsEveryPromise(target: FuzzTarget) throws {
        let corpus = try corpus(target)
        #expect(corpus.count > 10)
        for (name, bytes) in corpus { #expect(throws: Never.self, "\(name)") { try target.check(bytes) } }
    }

    @Test(arguments: FuzzTarget.allCases) func randomChangesOfItKeepEveryPromise(target: FuzzTarget) throws {
        var random = Generator(seed: 1)
        let corpus = try corpus(target).map(\.bytes).filter { $0.count < 2000 }
        for _ in 0..<1000 {
            var bytes = corpus.randomElement(using: &random) ?? []
            let other = corpus.randomElement(using: &random) ?? []
            for _ in 0...Int.random(in: 0..<3, using: &random) { random.change(&bytes, with: other) }
            #expect(throws: Never.self, "\(String(decoding: bytes, as: UTF8.self))") { try target.check(bytes) }
        }
    }
}

/// A source of random values (xorshift64*) that gives the same ones in every run.
private struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    private mutating func range(in bytes: [UInt8]) -> Range<Int> {
        let start = Int.random(in: 0...bytes.count, using: &self)
        return start..<min(bytes.count, start + Int.random(in: 0...40, using: &self))
    }

    /// Replaces a piece by one of another text, by nothing, or by another byte.
    mutating func change(_ bytes: inout [UInt8], with other: [UInt8]) {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: bytes.replaceSubrange(range(in: bytes), with: other[range(in: other)])
        case 1: bytes.removeSubrange(range(in: bytes))
        case 2: bytes.insert(contentsOf: other[range(in: other)], at: Int.random(in: 0...bytes.count, using: &self))
        default:
            guard !bytes.isEmpty else { return }
            bytes[Int.random(in: 0..<bytes.count, using: &self)] = .random(in: .min ... .max, using: &self)
        }
    }
}

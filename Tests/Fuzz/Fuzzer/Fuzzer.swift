import Glibc

// What libFuzzer's main calls: `FUZZ_TARGET=document Fuzzer CORPUS…`; see https://llvm.org/docs/LibFuzzer.html for its
// options.

private let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

/// Called once, before the corpus is read: `FUZZ_SEEDS=FOLDER` gets messages to begin with.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _: UnsafeMutablePointer<CInt>?, _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    guard target == .message, let folder = getenv("FUZZ_SEEDS").map({ String(cString: $0) }) else { return 0 }
    for (name, bytes) in MessageSeeds.all {
        guard let file = fopen("\(folder)/\(name)", "w") else { continue }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target else {
        print("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
        exit(2)
    }
    do {
        try target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        print(error)
        fflush(nil)
        abort()
    }
    return 0
}

internal import Glibc

/// A moment as people here read it.
///
/// - Parameters:
///   - time: microseconds since the epoch.
///   - format: for strftime(3).
func localTime(_ time: UInt64, _ format: String) -> String {
    var seconds = time_t(time / 1_000_000)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "\(time)" }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        let count = unsafe strftime(buffer.baseAddress, buffer.count, format, &parts)
        return unsafe String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Now, in microseconds since the epoch.
func currentTime() -> UInt64 { UInt64(max(0, time(nil))) * 1_000_000 }

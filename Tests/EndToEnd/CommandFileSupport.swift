import TestSupport
import Testing

/// Checks all that a command has done.
func expect(
    _ result: CommandResult, _ status: Int32 = 0, stdout: String = "", stderr: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(result.status == .exited(status), "\(result)", sourceLocation: sourceLocation)
    #expect(result.stdout == stdout, sourceLocation: sourceLocation)
    #expect(result.stderr == stderr, sourceLocation: sourceLocation)
}

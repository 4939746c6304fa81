import Testing

@testable import SettingsService

@Suite struct DaemonArgumentsTests {
    @Test func valuesStandBesideOrBehindTheirOption() throws {
        let arguments = try DaemonArguments(["--config-dir", "/a", "--state-dir=/b=c"])
        #expect(arguments.configDirectory == "/a")
        #expect(arguments.stateDirectory == "/b=c")
        #expect(arguments.printed == nil)
        #expect(try DaemonArguments(["-h"]).printed == .help)
    }

    @Test(arguments: [["--help=x"], ["--config-dir"], ["--config-dir="], ["--confg-dir", "/a"], ["x"], [""], ["--"], ["-"]])
    func whatIsNotDeclaredIsRefused(words: [String]) {
        #expect(throws: DaemonArguments.Fault.self) { try DaemonArguments(words) }
    }
}

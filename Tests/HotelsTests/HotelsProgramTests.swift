import Foundation
import TestSupport
import Testing

/// The program as a person uses it, with a daemon.
@Suite(.logsOnFailure) struct HotelsProgramTests {
    let session: TestSession
    let daemon: RunningProcess

    init() throws {
        session = try TestSession()
        daemon = try session.startDaemon()
        try run("--install")
        try session.folder.write(run("sample"), to: "hotels.json")
    }

    private func start(
        _ arguments: [String], input: String = "", environment changes: [String: String] = [:]
    ) throws -> RunningProcess {
        try RunningProcess(
            Products.path("hotels"), arguments, environment: session.environment.merging(changes) { $1 },
            folder: session.folder.path("."), input: input)
    }

    @discardableResult
    private func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> String {
        let result = try start(arguments, input: input, environment: environment).result()
        guard result.status == .exited(0) else { throw TestFailure("\(arguments): \(result)\n\(daemon.log)") }
        return result.stdout
    }

    private func failure(_ arguments: String..., input: String = "", status: Int32) throws -> String {
        let result = try start(arguments, input: input).result()
        #expect(result.status == .exited(status), "\(arguments): \(result)")
        #expect(result.stdout.isEmpty)
        return result.stderr
    }

    @discardableResult
    private func control(_ arguments: String...) throws -> String {
        let result = try session.startControl(["-a", "org.settingsd.Hotels"] + arguments).result()
        guard result.status == .exited(0) else { throw TestFailure("\(arguments): \(result)") }
        return result.stdout
    }

    /// The ids that a search for nothing new finds.
    private func ids(_ options: String...) throws -> [String] {
        struct Answer: Decodable {
            struct Entry: Decodable { var id: String? }
            var hotels: [Entry]
        }
        let result = try start(["search", "--json"] + options + ["hotels.json"]).result()
        guard result.status == .exited(0) else { throw TestFailure("\(options): \(result)") }
        return try JSONDecoder().decode(Answer.self, from: Data(result.stdout.utf8)).hotels.map { $0.id ?? "-" }
    }

    @Test func whatIsLookedForStays() throws {
        #expect(try ids() == ["new", "sete-mares", "harbour", "grand", "ask", "-"])
        #expect(try ids("--min-rating", "3.5", "--max-price", "120") == ["sete-mares", "harbour"])
        #expect(try ids("--order", "distance") == ["harbour", "sete-mares"])
        #expect(try control("get", "price.limit") == "120\n")
        try control("set", "price.limit", "100")
        #expect(
            try run("search", "PORTO", "hotels.json").hasPrefix(
                "1 of 6 hotels · \"PORTO\" · at most 100 · at least ★★★½☆ · by distance\n"))
        #expect(try control("get", "text") == "PORTO\n")
        #expect(try run("show").contains("--min-rating  3.5  ★★★½☆\n"))
        let refused = try session.startControl(["-a", "org.settingsd.Hotels", "set", "rating.least", "7"]).result()
        #expect(refused.stderr.contains("rating.least: 7 is refused: it takes one of: 0, 0.5, 1, 1.5, "), "\(refused)")
        #expect(try control("describe", "rating.least").contains("0.5\n") && !control("describe", "rating.least").contains(".0"))
        try run("favourite", "grand", "ask")
        try run("set", "--text", "", "--min-rating", "any", "--max-price", "any", "--favourites", "yes")
        #expect(try ids() == ["grand", "ask"])
        #expect(try ids("--vacant", "yes") == [])
        try run("unfavourite", "grand")
        try run("forget")
        #expect(try ids("--order", "rating") == ["grand", "sete-mares", "ask", "harbour", "new", "-"])
        #expect(try control("get", "favourites") == "[\"ask\"]\n")
        try control("undo")
        #expect(try control("get", "order") == "price\n")
    }

    @Test func aLockedSettingHoldsUpNoOther() throws {
        try run("set", "--max-price", "120", "--order", "rating")
        try session.folder.write(#"{"locked": ["order"]}"#, to: "etc/settingsd/apps/org.settingsd.Hotels.json")
        try within(.seconds(20), "the lock") { try control("get", "order") == "price\n" }
        let looked = try start(["search", "--order", "name", "--max-price", "any", "hotels.json"]).result()
        #expect(looked.stdout.hasPrefix("6 of 6 hotels · by name\n"), "\(looked)")
        #expect(looked.stderr.contains("order is locked by ") && looked.stderr.hasSuffix("for this look alone\n"), "\(looked)")
        #expect(try control("get", "price.limit") == "120\n")
        let forgotten = try start(["forget"]).result()
        #expect(forgotten.status == .exited(0) && forgotten.stdout.contains("--max-price   any\n"), "\(forgotten)")
        #expect(forgotten.stderr.hasSuffix("left as it is: order\n"), "\(forgotten)")
        #expect(try control("get", "price.limit") == "0\n")
    }

    @Test func hotelsAreDrawnAsTheTerminalCan() throws {
        let lines = try run("search", "hotels.json")
        #expect(lines.contains("   Harbour View      Porto       ★★★½☆      120       0.4 km  vacant  harbour\n"))
        #expect(lines.contains("   Nobody Knows                  no rating  no price"))
        #expect(try run("search", "hotels.json", "--ascii").contains("Porto       ***+.      120 "))
        #expect(try run("search", "hotels.json", environment: ["LANG": "C"]).contains("6 of 6 hotels, by price\n"))
        #expect(try run("search", "hotels.json", environment: ["LC_ALL": "de_DE.UTF-8", "LANG": "C"]).contains("★★★½☆"))
        #expect(try run("search", "--top", "1", "hotels.json").hasSuffix("new\nand 5 more\n"))
    }

    @Test func inputMayComeFromAnywhere() throws {
        #expect(try run("search", input: "[{\"name\": \"One\"}]").hasPrefix("1 of 1 hotels · by price\n   One "))
        #expect(try run("search", "two", "-", input: "[{\"name\": \"One\"}]").hasPrefix("0 of 1 hotels"))
        let result = try run("search", "--text", "", "-", input: "[{\"name\": null, \"price\": \"7\"}, null]")
        #expect(result.contains("(no name)  "))
        #expect(
            result.hasSuffix(
                "\n1 field counts as unknown, 1 entry is no hotel; the first: line 1, column 26: price is \"7\", and not a number from 0 on\n"
            ))
    }

    @Test func whereNothingIsFoundEachPartOfTheSearchSaysWhatItLeavesOut() throws {
        try run("favourite", "grand")
        let found = try run(
            "search", "--text", "porto", "--max-price", "60.5", "--min-rating", "4.5", "--vacant", "yes", "--favourites", "yes",
            "hotels.json")
        #expect(
            found == """
                0 of 6 hotels · "porto" · at most 60.5 · at least ★★★★½ · vacant · favourites · by price
                --text "porto" leaves out 3 of 6
                --max-price 60.5 leaves out 6 of 6
                --min-rating 4.5 leaves out 4 of 6
                --vacant yes leaves out 3 of 6
                --favourites yes leaves out 5 of 6
                to look for every hotel again: hotels forget

                """)
        try run("forget")
        #expect(try run("search", "harbour", "hotels.json").split(separator: "\n").count == 2)
        let none = try run("search", "nowhere", "hotels.json", "--json")
        #expect(none.contains("\"left_out\":{\"text\":6}"), "\(none)")
        #expect(try run("search", input: "[]").split(separator: "\n").count == 1)
    }

    @Test func whatIsWrongIsSaidWithItsPlaceAndWhatToDo() throws {
        #expect(try failure("search", input: "[{},\n {\"a\" 1}]", status: 4).contains("the standard input: line 2, column 7: "))
        #expect(try failure("search", input: "", status: 4).contains("the standard input is empty"))
        #expect(try failure("search", input: "{\"list\": []}", status: 4).contains("such as \"list\": jq .list FILE | hotels"))
        #expect(try failure("search", "porto", status: 1).contains("cannot read porto: No such file or directory\nhint: - is"))
        #expect(try failure("search", "porto", ".", status: 1).contains("cannot read .: Is a directory"))
        #expect(try failure("watch", "-", status: 2).contains("watch takes a file"))
        #expect(try failure("watch", "/dev/null", status: 1).contains("/dev/null is no file that can be read again"))
        #expect(try failure("set", status: 2).contains("hint: as in: hotels set"))
        for (option, value, message) in [
            ("max-price", "-1", "a number from 0 on, or any, not -1"), ("max-price", "inf", "not inf"),
            ("max-price", "1,000", "write 1000 or 1\n"), ("max-price", "2,500.00", "not 2,500.00"),
            ("min-rating", "6", "from 0 to 5"),
            ("min-rating", "3.3", "half stars"), ("order", "best", "price, rating, name, distance"),
            ("vacant", "perhaps", "yes or no"),
        ] {
            #expect(try failure("set", "--\(option)", value, status: 2).contains(message))
        }
        #expect(try failure("search", "--top", "0", "hotels.json", status: 2).contains("--top"))
        #expect(try failure("set", "--text", String(repeating: "x", count: 201), status: 4).contains("at most 200"))
        #expect(try control("status", "--json").contains("\"revision\":0"))
    }

    @Test func watchLooksAgainWhenTheSearchOrTheFileChanges() throws {
        let watch = try start(["watch", "hotels.json"])
        try watch.waitForOutput("6 of 6 hotels · by price\n")
        try control("set", "rating.least", "4.5")
        try watch.waitForOutput("2 of 6 hotels · at least ★★★★½ · by price\n")
        try run("set", "--min-rating", "any", "--order", "name")
        try watch.waitForOutput("6 of 6 hotels · by name\n")
        try run("favourite", "ask")
        try watch.waitForOutput("♥  Price on Request")
        try session.folder.write(#"{"text": "porto"}"#, to: "home/.config/settingsd/apps/org.settingsd.Hotels.json")
        try watch.waitForOutput("3 of 6 hotels · \"porto\" · by ")
        try session.folder.write("[{\"city\": \"Porto\"}]", to: "hotels.json")
        try watch.waitForOutput("1 of 1 hotels · \"porto\"")
        // A broken file leaves the last hotels in place, and is told of.
        try session.folder.write("[{\"city\": \"Porto\"}", to: "hotels.json")
        try watch.waitForOutput("hotels.json: line 1, column 19: the text ends within the array")
        try FileManager.default.removeItem(atPath: session.folder.path("hotels.json"))
        try watch.waitForOutput("cannot read hotels.json: No such file")
        try session.folder.write("[{\"city\": \"Porto\"}, {\"city\": \"Porto\"}]", to: "hotels.json")
        try watch.waitForOutput("2 of 2 hotels")
        #expect(try watch.end(SIGINT) == .exited(0))
    }

    @Test func aTerminalShowsHowFarALongFileIs() throws {
        let entry = #"{"name": "\#(String(repeating: "x", count: 400))"}"#
        let feed =
            "{ echo '[\(entry)'; for i in {1..40}; do sleep 0.02; for j in {1..80}; do echo ',\(entry)'; done; done; echo ']'; }"
        let line = "\(feed) | \(try Products.path("hotels")) search --top 1 -"
        let result = try RunningProcess(
            "script", ["-qec", "bash -c '\(line.replacingOccurrences(of: "'", with: #"'\''"#))'", "/dev/null"],
            environment: session.environment.merging(["TERM": "xterm"]) { $1 }
        ).result()
        #expect(result.status == .exited(0), "\(result)")
        #expect(result.stdout.contains("\rthe standard input: "), "\(result)")
        #expect(result.stdout.contains("3201 of 3201 hotels"), "\(result)")
    }

    @Test func aStandardInputThatIsClosedIsSaidToBe() throws {
        let result = try RunningProcess(
            "bash", ["-c", "exec '\(try Products.path("hotels"))' search - <&-"], environment: session.environment
        ).result()
        #expect(result.status == .exited(1) && result.stderr.hasPrefix("hotels: the standard input is closed\n"), "\(result)")
    }

    @Test func aTerminalIsToldHowManyHotelsItHasNoRoomFor() throws {
        try session.folder.write("[\(Array(repeating: "{}", count: 3000).joined(separator: ","))]", to: "many.json")
        let line = "stty rows 10 cols 80; timeout -s INT 3 '\(try Products.path("hotels"))' watch many.json"
        let watch = try RunningProcess(
            "script", ["-qec", line, "/dev/null"], environment: session.environment.merging(["TERM": "xterm"]) { $1 },
            folder: session.folder.path("."))
        // One line tells what is looked for, and eight are hotels.
        try watch.waitForOutput("… 2992 more lines")
        try watch.end()
    }

    @Test func theSchemaIsRight() throws {
        let file = session.folder.path("home/.local/share/settingsd/schemas/org.settingsd.Hotels.json")
        #expect(try session.control("check", file).status == .exited(0))
    }
}

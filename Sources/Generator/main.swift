// Writes what is made from the tables of commands, options, settings, actions and errors and kept in the tree; see
// `make generate`. A page of the manual comes in on standard input and has the parts that are named there put in.
internal import Glibc
internal import JSON
internal import SettingsModel

switch CommandLine.arguments.dropFirst().first {
case "manual":
    while let line = readLine() {
        guard let lines = Manual.lines(for: line) else {
            print("\(line): there is no such part of the manual")
            exit(1)
        }
        for line in lines { print(line) }
    }
case "schema":
    print(String(decoding: JSONWriter.pretty(DocumentSchema.json(for: .builtIn)), as: UTF8.self), terminator: "")
default:
    print("usage: Generator manual < PAGE.in | schema")
    exit(2)
}

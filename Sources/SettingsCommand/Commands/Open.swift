internal import DBus
internal import EventLoop
internal import Glibc
internal import JSON
internal import SettingsClient
internal import SettingsModel

extension Command {
    /// The action that `open` carries out; its argument is the link.
    static let openingAction = "OpenSupportLink"

    static let open = Command(
        .open, summary: "Opens a support link",
        operands: Operands(.link), options: [.print],
        examples: [
            Example("open help", "opens the help page in the browser"),
            Example("open contact --print", "prints the link in place of opening it"),
        ],
        details: """
            LINK is a key of the support section without its section. Applications that watch the settings hear of it in any \
            case, with --print too, which prints the link here instead of opening it. The link goes to the desktop's OpenURI portal where there is one, else to xdg-open. \
            With --json: {"link","url","revision"}.
            """,
        run: { invocation throws(Failure) in
            guard invocation.options.application.isEmpty else {
                throw invocation.usage("the settings of an application have no support links", hint: "leave out --app")
            }
            let link = invocation.operands[0]
            let action = Action(Command.openingAction, ["link": .string(link)])
            let opened = try invocation.explaining(action) { () throws(Failure) in
                try invocation.session.answer(to: .openSupportLink(link))
            }
            if invocation.options.json {
                invocation.output.line([
                    "link": .string(link), "url": .string(opened.url), "revision": JSONValue(opened.revision),
                ])
            } else if invocation.options.print {
                invocation.output.line(invocation.output.shown(opened.url))
            }
            try invocation.output.flush()
            if !invocation.options.print { try LinkOpener(invocation.session).open(opened.url) }
        })
}

/// Hands a link to the desktop.
private struct LinkOpener {
    private let session: Session
    private let bus: Connection

    init(_ session: Session) throws(Failure) {
        self.session = session
        bus = try session.connection().bus
    }

    func open(_ url: String) throws(Failure) {
        if try !openByPortal(url) { try openByProgram(url) }
    }

    /// Asks the portal, and waits until it has done its part: it drops the request of a client that leaves.
    ///
    /// - Returns: false where there is no portal that opens links.
    private func openByPortal(_ url: String) throws(Failure) -> Bool {
        var response: UInt32?
        let responses = MatchRule(sender: portal, interface: "org.freedesktop.portal.Request", member: "Response")
        let subscription = bus.subscribe(responses) { signal in
            do throws(BusError) { response = try signal.body().first?.uint32 } catch { response = failure }
        }
        defer { subscription.cancel() }
        let call = Message.methodCall(
            to: portal, path: "/org/freedesktop/portal/desktop", interface: "org.freedesktop.portal.OpenURI",
            member: "OpenURI")
        do throws(BusError) {
            try call.append([.string(""), .string(url), .variants([])])
            _ = try bus.callAndWait(call, timeout: session.remaining)
        } catch {
            return false
        }
        // A person may be choosing an application; the portal has the link in any case.
        _ = bus.loop.run(until: { response != nil }, timeout: session.remaining)
        if response == failure { throw .failed("the desktop's portal could not open \(url)") }
        return true
    }

    private func openByProgram(_ url: String) throws(Failure) {
        var ending: ChildProcess.Ending?
        do throws(Failure) {
            let processes = try ChildProcess(loop: bus.loop)
            try processes.start(["xdg-open", url], input: nil, output: STDERR_FILENO) { ending = $0 }
            // One that stays until the browser is closed has opened the link.
            _ = bus.loop.run(until: { ending != nil }, timeout: session.remaining)
        } catch {
            throw .failed(error.message, hint: "there is no OpenURI portal either; the link is \(url)")
        }
        guard let ending, ending != .status(0) else { return }
        throw .failed("xdg-open could not open the link", hint: "the link is \(url)")
    }

    private let portal: BusName = "org.freedesktop.portal.Desktop"
    /// The response of a request that ended in neither success (0) nor a person's refusal (1).
    private let failure: UInt32 = 2
}

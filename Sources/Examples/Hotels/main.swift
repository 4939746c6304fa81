import ExampleSupport

private let searchOptions: [Program.Option] = [
    .init("text WORDS", "words of the name or the city; '' for any", takesEmpty: true),
    .init("max-price PRICE", "the most that a night may cost, or any"),
    .init("min-rating STARS", "the fewest stars, 0.5 to 5 in halves, or any"),
    .init("order ORDER", "price, rating, name or distance"), .init("vacant YES|NO", "only hotels with a room to let"),
    .init("favourites YES|NO", "only favourites"),
]

private let searched =
    "\"text\", \"order\", \"price\": {\"limit\"}, \"rating\": {\"least\"}, \"only\": {\"vacant\", \"favourites\"}, \"favourites\": [ids]"
private let search = "{\(searched), \"locked\": [settings]}; a limit of 0 is none"
private let findings =
    "{\"search\": {\(searched)}, \"hotels\": [{\"id\", \"name\", \"city\", \"price\", \"rating\", \"distance\", \"vacant\", as far as they are known, \"favourite\": true|false}], \"found\", \"total\", \"left_out\": how many by option, \"misfits\": fields that count as unknown, \"strangers\": entries that are no hotels, \"remark\": the first of them, \"problem\": why the file cannot be read any more}"
private let done = "{\"done\": [sentences], \"favourites\": [ids], \"revision\"}"

Program(
    name: "hotels", summary: "finds hotels in a file; what you look for stays, and is the same in every terminal",
    application: "org.settingsd.Hotels", schema: PackageResources.org_settingsd_Hotels_json,
    examples: [
        .init("hotels sample >hotels.json", "makes a file with hotels to try it with"),
        .init("hotels search porto hotels.json", "looks for hotels with Porto in their name or city"),
        .init("hotels search --min-rating 3.5 hotels.json", "those of them with ★★★½☆ or more"),
        .init("hotels set --max-price 120 --order rating", "narrows the search, here and in every other terminal"),
        .init("hotels watch hotels.json", "shows what is found, anew whenever the search or the file changes"),
        .init("hotels favourite harbour", "makes the hotel with this id a favourite"),
        .init("hotels forget", "looks for every hotel again"),
        .init("curl URL | hotels search --json -", "reads what comes in, and answers in JSON"),
    ],
    commands: [
        .init("show", "shows what is looked for", json: search, run: Commands.show),
        .init(
            "set", "changes what is looked for; what is not given stays", options: searchOptions, json: search, run: Commands.set),
        .init("forget", "looks for every hotel again; favourites stay, and what is locked", json: search, run: Commands.forget),
        .init(
            "search [TEXT] [FILE]",
            "looks in a file, - or none: the standard input; takes the options of set, too, for this look alone if one is locked",
            options: searchOptions + [.init("top COUNT", "shows the first ones only")], json: findings, run: Commands.search),
        .init(
            "watch FILE", "looks in a file, and goes on as the search or the file changes",
            json: "\(findings); one object for each change", run: Commands.watch),
        .init("favourite ID…", "makes hotels favourites", json: done, run: Commands.favourite),
        .init("unfavourite ID…", "makes them hotels among others again", json: done, run: Commands.unfavourite),
        .init("sample", "prints a file with hotels, for a try", run: Commands.sample),
    ],
    options: [.init("ascii", "draws stars as ***+. for terminals without UTF-8")]
).run()

import ExampleSupport

private let note =
    "{\"id\", \"position\": its number in the list, \"title\", \"content\", \"favourite\": true|false, \"time\": RFC 3339}; id and time where it has them"
private let notes = "{\"notes\": [NOTE]}, a NOTE as notes show has it"
private let done = "{\"done\": in words, \"revision\", \"notes\": [NOTE]}, a NOTE as notes show has it"

Program(
    name: "notes", summary: "notes that every terminal and every program of your session sees at once",
    application: notesApplication, schema: PackageResources.org_settingsd_Notes_json,
    examples: [
        .init("notes new Shopping --content 'milk, bread'", "makes a note"),
        .init("date | notes new -", "makes one of what comes in: the first line is the title"),
        .init("notes new", "lets you write one in your editor: $VISUAL, else $EDITOR"),
        .init("notes", "lists them: favourites first, then the newest"),
        .init("notes edit shopping", "opens the note of that title in your editor"),
        .init("notes favourite 2", "puts the second one at the top"),
        .init("notes search creme brulee", "finds \"Crème brûlée\", too"),
        .init("notes watch", "lists them, and goes on as anything changes"),
    ],
    commands: [
        .init("list", "lists the notes", json: notes, run: Commands.list),
        .init("show NOTE", "shows one", json: note, run: Commands.show),
        .init(
            "new [TITLE…]",
            "makes one: of its title, or of what you write in your editor; reads the standard input for - or if that is no terminal",
            options: [
                .init("content TEXT", "what is below the title", takesEmpty: true), .init("favourite", "puts it at the top"),
            ], json: done, run: Writing.new),
        .init("edit NOTE [-]", "opens one in your editor; - reads the new text instead", json: done, run: Writing.edit),
        .init("resume [DRAFT]", "goes on, in your editor, with a text that was never stored", run: Writing.resume),
        .init("drop [DRAFT]", "removes a text that was never stored", run: Writing.drop),
        .init("favourite NOTE…", "puts notes at the top", json: done, run: Commands.favourite),
        .init("unfavourite NOTE…", "puts them back among the others", json: done, run: Commands.unfavourite),
        .init("delete NOTE…", "deletes notes", json: "\(done), the notes as they were, and \"hint\"", run: Commands.delete),
        .init(
            "undo", "takes the last change back, whoever made it", json: "\(done), the notes that are back or changed",
            run: Commands.undo),
        .init("redo", "makes it again", json: done, run: Commands.redo),
        .init("search WORD…", "lists the notes with all of these words", json: notes, run: Commands.search),
        .init(
            "watch [WORD…]", "lists the notes, those with these words alone if any, as they change",
            json: "\(notes), one object for each change", run: Commands.watch),
    ]
).run()

import ExampleSupport

Program.worldClock.run()

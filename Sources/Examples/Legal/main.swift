import ExampleSupport

Program.legal.run()

SWIFT ?= swift
# Release programs are linked statically where the archives and the toolchain's lld are there: no shared library is loaded
# at start.
STATIC = $(shell d=$$(pkg-config --variable=libdir dbus-1 2>/dev/null); \
	lld=$$($(SWIFT) -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin/ld.lld|p'); \
	test -e "$$d/libdbus-1.a" && test -e "$$d/libjansson.a" && test -e "$$d/libpcre2-8.a" && test -x "$$lld" \
	&& echo SETTINGSD_STATIC=1)
RELEASE = $(SWIFT) build -c release $(if $(STATIC),,--static-swift-stdlib)

PREFIX ?= /usr/local
BINDIR = $(PREFIX)/bin
# Both are searched below /usr, /usr/local and ~/.local alike (dbus-daemon(1), systemd.unit(5)).
SERVICEDIR = $(PREFIX)/share/dbus-1/services
UNITDIR = $(PREFIX)/share/systemd/user
INTERFACEDIR = $(PREFIX)/share/dbus-1/interfaces

.PHONY: help build order demo test fuzz lint interface install uninstall clean

help:
	@echo 'make demo       build a release and show what it does, on a private bus in a private home'
	@echo 'make test       build and run the whole test suite'
	@echo 'make fuzz       read random documents, journals, imports and messages for FUZZ_SECONDS=28, after a build of their own'
	@echo 'make build      build the release programs: .build/release/settingsd and settingsctl'
	@echo 'make order      record what a start touches, for the linker, after much has changed'
	@echo 'make install    install the release programs and what starts them: PREFIX=/usr/local, or ~/.local; DESTDIR='
	@echo 'make uninstall  take away what make install has put there; settings stay'
	@echo 'make lint       check the formatting of the sources'
	@echo 'make interface  write the interface XML anew from the schema'
	@echo 'make clean      remove what was built'

build:
	@.ci/setup build
	@$(MAKE) --no-print-directory release

# A make of its own, so that STATIC is looked up after the packages were installed.
.PHONY: release
release:
	$(STATIC) $(RELEASE) --product settingsd
	$(STATIC) $(RELEASE) --product settingsctl

# Lets the linker put together what a start touches now, where that has changed much; needs valgrind and binutils.
order: build
	link/record .build/release >.build/order
	mv .build/order link/order
	rm .build/release/settingsd .build/release/settingsctl
	@$(MAKE) --no-print-directory release

demo: build
	@Tests/demo.sh .build/release

test:
	@.ci/setup test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

# What breaks a promise becomes a part of the corpus, which `make test` reads, too.
FUZZ_SECONDS ?= 28
fuzz:
	@.ci/setup build
	SETTINGSD_FUZZ=1 $(SWIFT) build --sanitize fuzzer --scratch-path .build/fuzz --product Fuzzer
	@set -e; for target in document journal import message; do \
		echo "fuzzing: $$target"; \
		mkdir -p .build/fuzz/corpus/$$target; \
		SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$$target FUZZ_SEEDS=.build/fuzz/corpus/$$target .build/fuzz/debug/Fuzzer \
			-max_total_time=$$(($(FUZZ_SECONDS) / 4)) -max_len=4096 -verbosity=0 -dict=Tests/Fuzz/words.dict \
			-artifact_prefix=Tests/Fuzz/corpus/$$target/ .build/fuzz/corpus/$$target Tests/Fuzz/corpus/$$target; \
	done

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

interface:
	@.ci/setup build
	$(SWIFT) build --product settingsd
	.build/debug/settingsd --print-interface > dbus/org.settingsd.Settings1.xml

# Installs what `make build` has built, so that it can be run as root without Swift.
install:
	@test -x .build/release/settingsd || { echo 'run "make build" first, as yourself' >&2; exit 1; }
	install -D -m 755 .build/release/settingsd $(DESTDIR)$(BINDIR)/settingsd
	install -D -m 755 .build/release/settingsctl $(DESTDIR)$(BINDIR)/settingsctl
	install -D -m 644 dbus/org.settingsd.Settings1.xml $(DESTDIR)$(INTERFACEDIR)/org.settingsd.Settings1.xml
	install -d $(DESTDIR)$(SERVICEDIR) $(DESTDIR)$(UNITDIR)
	sed 's|@bindir@|$(BINDIR)|' dbus/org.settingsd.Settings1.service.in > $(DESTDIR)$(SERVICEDIR)/org.settingsd.Settings1.service
	sed 's|@bindir@|$(BINDIR)|' systemd/settingsd.service.in > $(DESTDIR)$(UNITDIR)/settingsd.service

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/settingsd $(DESTDIR)$(BINDIR)/settingsctl \
		$(DESTDIR)$(INTERFACEDIR)/org.settingsd.Settings1.xml \
		$(DESTDIR)$(SERVICEDIR)/org.settingsd.Settings1.service $(DESTDIR)$(UNITDIR)/settingsd.service

clean:
	rm -rf .build

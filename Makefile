SWIFT ?= swift
# Release programs are linked statically where the archives and the toolchain's lld are there: no shared library is loaded
# at start.
STATIC = $(shell d=$$(pkg-config --variable=libdir dbus-1 2>/dev/null); \
	lld=$$($(SWIFT) -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin/ld.lld|p'); \
	test -e "$$d/libdbus-1.a" && test -e "$$d/libjansson.a" && test -e "$$d/libpcre2-8.a" && test -x "$$lld" \
	&& echo SETTINGSD_STATIC=1)
RELEASE = $(SWIFT) build -c release $(if $(STATIC),,--static-swift-stdlib)

PREFIX ?= /usr/local
# Not every shell expands the tilde of PREFIX=~/.local.
override PREFIX := $(patsubst ~,$(HOME),$(patsubst ~/%,$(HOME)/%,$(PREFIX)))
# Where the programs to install are.
BUILD ?= .build/release

# All that is installed: WHERE, below PREFIX, = WHAT. Where the programs are is put into what ends in .in. The session's
# bus and systemd search share/ below /usr, /usr/local and ~/.local alike (dbus-daemon(1), systemd.unit(5)), and so do
# man and the shells, but for zsh, which looks in ~/.local only where fpath says so.
FILES = \
	bin/settingsd=$(BUILD)/settingsd \
	bin/settingsctl=$(BUILD)/settingsctl \
	share/dbus-1/services/org.settingsd.Settings1.service=dbus/org.settingsd.Settings1.service.in \
	share/dbus-1/interfaces/org.settingsd.Settings1.xml=dbus/org.settingsd.Settings1.xml \
	share/systemd/user/settingsd.service=systemd/settingsd.service.in \
	share/man/man1/settingsctl.1=man/settingsctl.1 \
	share/man/man5/settingsd.5=man/settingsd.5 \
	share/man/man8/settingsd.8=man/settingsd.8 \
	share/bash-completion/completions/settingsctl=$(BUILD)/completions/bash \
	share/zsh/site-functions/_settingsctl=$(BUILD)/completions/zsh \
	share/fish/vendor_completions.d/settingsctl.fish=$(BUILD)/completions/fish \
	share/settingsd/settings.schema.json=schema/settings.schema.json \
	share/doc/settingsd/examples/admin.json=examples/admin.json \
	share/doc/settingsd/examples/vendor.json=examples/vendor.json

.PHONY: help build bench release order completions demo test fuzz sanitize sanitize-threads beds lint generate install uninstall deb check-deb docs clean

help:
	@echo 'make demo       build a release and show what it does, on a private bus in a private home'
	@echo 'make test       build and run the whole test suite'
	@echo 'make fuzz       read random documents, journals, imports, messages and schemas for FUZZ_SECONDS=35, after a build of their own'
	@echo 'make sanitize   run the tests of what touches C, the bus and memory under the address sanitizer, after a build of their own'
	@echo 'make sanitize-threads  run the tests of what several threads share under the thread sanitizer, likewise'
	@echo 'make beds       prove the user service in throw-away machines: systemd, both buses (as root)'
	@echo 'make build      build the release programs: .build/release/settingsd and settingsctl'
	@echo 'make bench      measure the release programs beside a floor in C and other settings tools: JSON=file'
	@echo 'make order      record what a start touches, for the linker, after much has changed'
	@echo 'make install    install what make build has built, without Swift: programs, what starts them, manual pages,'
	@echo '                completions, JSON Schema; see PREFIX and DESTDIR below'
	@echo 'make uninstall  take away what make install has put there; settings stay'
	@echo 'make deb        pack what make build has built for Debian: .build/deb/settingsd_*.deb'
	@echo 'make check-deb  look the package over, install, upgrade and remove it in a copy of this machine'
	@echo 'make lint       check the formatting of the sources'
	@echo 'make generate   write anew what is made from the tables: interface XML, manual pages, JSON Schema'
	@echo 'make docs       make a DocC archive of the library: .build/docs/settingsd.doccarchive'
	@echo 'make clean      remove what was built'
	@echo
	@echo 'Variables, as in make install PREFIX=~/.local:'
	@echo 'PREFIX          where to install, /usr/local if not given; ~/.local is for yourself alone'
	@echo 'DESTDIR         a folder that stands for /, for those who make packages; empty if not given'
	@echo 'BUILD           the folder with the programs to install, .build/release if not given'
	@echo 'SWIFT           the Swift command, swift if not given'
	@echo 'SANITIZED       the tests that make sanitize runs, as a regular expression'
	@echo 'THREADED        the tests that make sanitize-threads runs, likewise'

build:
	@.ci/setup build
	@$(MAKE) --no-print-directory release

# A make of its own, so that STATIC is looked up after the packages were installed.
release:
	$(STATIC) $(RELEASE) --product settingsd
	$(STATIC) $(RELEASE) --product settingsctl
	@$(MAKE) --no-print-directory completions

completions:
	@mkdir -p '$(BUILD)/completions'
	@for shell in bash zsh fish; do '$(BUILD)/settingsctl' completions $$shell > '$(BUILD)/completions/'$$shell || exit; done

# Measures the release programs in turn with a floor in C and with other settings' tools: JSON=file keeps the figures.
bench: build
	$(STATIC) $(RELEASE) --product Floor
	$(STATIC) $(RELEASE) --product Starter
	$(STATIC) $(RELEASE) --product Benchmark
	.build/release/Benchmark $(if $(JSON),--json $(JSON))

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
FUZZ_SECONDS ?= 35
fuzz:
	@.ci/setup build
	SETTINGSD_FUZZ=1 $(SWIFT) build --sanitize fuzzer --scratch-path .build/fuzz --product Fuzzer
	@set -e; for target in document journal import message schema; do \
		echo "fuzzing: $$target"; \
		mkdir -p .build/fuzz/corpus/$$target; \
		SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$$target FUZZ_SEEDS=.build/fuzz/corpus/$$target .build/fuzz/debug/Fuzzer \
			-max_total_time=$$(($(FUZZ_SECONDS) / 5)) -max_len=4096 -verbosity=0 -dict=Tests/Fuzz/words.dict \
			-artifact_prefix=Tests/Fuzz/corpus/$$target/ .build/fuzz/corpus/$$target Tests/Fuzz/corpus/$$target; \
	done

# The programs that the tests start are sanitized, too. Each process reports to a file, and any report fails the run,
# whatever the tests think. Left out: Tests/Faults puts a library in front of libc's calls, as the sanitizers themselves
# do; the leak sanitizer, which does not see the pointers that Swift keeps other bits in; what counts threads or wake-ups,
# with the thread sanitizer, which has a thread of its own; two daemons whose journal is removed again and again, one of which
# tells a change twice where all is slow. Little freed memory is held back, since tests look at how much
# the daemon has.
SANITIZED ?= DBusTests|EventLoopTests|SettingsBusTests|SettingsStoreTests|SettingsServiceTests|SettingsClientTests|EndToEndTests
# Threads meet in the loop's inbox, in the bus's connections, at the flusher and in clients; what only makes many calls of a
# daemon would take minutes more.
THREADED ?= DBusTests|EventLoopTests|SettingsStoreTests|SettingsClientTests|$\
	EndToEndTests.(ApplicationClient|Client|Client(Changes|Connect|Observable|Problem|Restart|Update))Tests
# $(call sanitize,SANITIZER,TESTS): the folder of the build has the sanitizer's name.
define sanitize
	@.ci/setup test
	$(SWIFT) build --sanitize $(1) --scratch-path .build/$(1) --build-tests
	@rm -rf .build/$(1)-reports && mkdir -p .build/$(1)-reports
	export ASAN_OPTIONS=log_path=$(CURDIR)/.build/$(1)-reports/report:detect_leaks=0:quarantine_size_mb=8 \
		TSAN_OPTIONS=log_path=$(CURDIR)/.build/$(1)-reports/report:suppressions=$(CURDIR)/Tests/threads.suppressions; \
	status=0; $(SWIFT) test --skip-build --sanitize $(1) --scratch-path .build/$(1) --filter '$(2)' \
		--skip whatIsRemovedWhileBothWriteTakesNoAnswerBack || status=$$?; \
	test -z "$$(ls .build/$(1)-reports)" || { cat .build/$(1)-reports/*; exit 1; }; exit $$status
endef

sanitize:
	$(call sanitize,address,$(SANITIZED))

sanitize-threads:
	$(call sanitize,thread,$(THREADED))

# Boots throw-away machines, for which it needs root, namespaces and overlayfs; says so where it has them not.
beds: build
	@.ci/setup beds
	@Tests/Beds/run

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

generate:
	@.ci/setup build
	$(SWIFT) build --product settingsd
	$(SWIFT) build --product Generator
	.build/debug/settingsd --print-interface > dbus/org.settingsd.Settings1.xml
	.build/debug/Generator schema > schema/settings.schema.json
	@set -e; for page in man/*.in; do .build/debug/Generator manual < $$page > $${page%.in}; done

# Installs what `make build` has built, so that it can be run as root without Swift.
install:
	@test -x '$(BUILD)/settingsd' -a -e '$(BUILD)/completions/fish' || { echo 'run "make build" first, as yourself' >&2; exit 1; }
	@case '$(PREFIX)' in \
		/*[[:space:]\|\&\%\"\$$\\]* | [!/]* | '') \
			echo 'PREFIX must be an absolute path without spaces and any of | & % " $$ \: "$(PREFIX)"' >&2; exit 1 ;; \
	esac
	@set -e; for file in $(FILES); do \
		from=$${file#*=}; to='$(DESTDIR)$(PREFIX)'/$${file%%=*}; \
		echo "$$to"; \
		case $$from in \
			*.in) sed 's|@bindir@|$(PREFIX)/bin|' "$$from" | install -D -m 644 /dev/stdin "$$to" ;; \
			'$(BUILD)/settings'*) install -D -m 755 "$$from" "$$to" ;; \
			*) install -D -m 644 "$$from" "$$to" ;; \
		esac; \
	done

# Folders that have become empty go, too, but for those that every prefix has.
uninstall:
	@set -e; for file in $(FILES); do \
		name=$${file%%=*}; \
		rm -f '$(DESTDIR)$(PREFIX)'/$$name; \
		folder=$${name%/*}; \
		while case $$folder in bin | share | share/man) false ;; esac; do \
			rmdir '$(DESTDIR)$(PREFIX)'/$$folder 2>/dev/null || break; \
			folder=$${folder%/*}; \
		done; \
	done

# Packs in a copy of what is needed, so that nothing else is written to.
deb: build
	@.ci/setup deb
	rm -rf .build/deb
	mkdir -p .build/deb/settingsd
	cp -a Makefile README.md dbus debian examples man schema systemd .build/deb/settingsd
	cd .build/deb/settingsd && BUILD='$(abspath $(BUILD))' dpkg-buildpackage --build=binary --no-sign

check-deb: deb
	Tests/Packaging/check .build/deb/settingsd_*.deb

docs:
	@.ci/setup docs
	$(SWIFT) build --product SettingsClient
	Sources/documentation .build/debug .build/docs

clean:
	rm -rf .build

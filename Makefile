SWIFT ?= swift
# Release programs are linked statically where the archives are there: no shared library is loaded at start.
STATIC := $(shell d=$$(pkg-config --variable=libdir dbus-1 2>/dev/null); \
	test -e "$$d/libdbus-1.a" && test -e "$$d/libjansson.a" && echo SETTINGSD_STATIC=1)
RELEASE := $(SWIFT) build -c release $(if $(STATIC),,--static-swift-stdlib)

.PHONY: help build demo test lint interface clean

help:
	@echo 'make demo       build a release and show what it does, on a private bus in a private home'
	@echo 'make test       build and run the whole test suite'
	@echo 'make build      build the release programs: .build/release/settingsd and settingsctl'
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

demo: build
	@Tests/demo.sh .build/release

test:
	@.ci/setup test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

interface:
	@.ci/setup build
	$(SWIFT) build --product settingsd
	.build/debug/settingsd --print-interface > dbus/org.settingsd.Settings1.xml

clean:
	rm -rf .build

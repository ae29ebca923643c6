# Every target does everything it needs, including the installation of dependencies: on a fresh Debian 12,
# `make demo` is enough.
#
#   make          the release build: build/weir and the libraries
#   make demo     shows weir at work: under a minute once the command is built, which takes minutes on two cores
#   make test     what CI runs: the tests under sanitizers, all tests of the release build, the JavaScript package's tests
#   make check    only the release build's tests; the quick round while working
#   make asan     the tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   make tsan     the thread tests under ThreadSanitizer, compiled by Clang
#   make fuzz     a minute of fuzzing (FUZZ_SECONDS) for each target, with Clang
#   make fuzz-coverage   which code the inputs of tests/fuzz/corpus, and those that `make fuzz` stored, reach
#   make mutation    changes operators of the engine one by one, MUTANTS of them: which changes does no test notice? Hours
#   make growth   every keyword, option and operator at sizes from 10 to 10^9: work, memory and time. Half an hour or more
#   make debug    a build without optimisation, with the standard library's assertions
#   make bench    the benchmarks
#   make wasm     build-wasm/weir.wasm and weir-full.wasm: the library as WebAssembly modules
#   make js       the JavaScript package, js/dist; needs the package index npm once
#   make test-js  the JavaScript package's tests, in Node
#   make test-js-integrations  the package in transformers.js and web-llm themselves, and in Bun and Deno: 700 MB from npm
#   make test-rust   the Rust crates' tests; needs the package index crates.io, and compiles the library once more
#   make test-candle   the example of candle, rust/examples/candle: 600 MB from crates.io; after make test-rust
#   make playground  the playground, playground/dist; needs the package index npm once
#   make test-playground  the playground's tests, in Chromium and Firefox
#   make test-integrations   tests with torch, transformers and llama-cpp-python, from PyPI: gigabytes, and half an hour to build
#   make test-serving   tests with vLLM and SGLang, from PyPI: gigabytes
#   make dist     the packages for this machine's architecture, in dist: a tar.gz, Debian packages, the Python source
#                 distribution and wheels; what is for Python needs the package index PyPI, and is skipped without it
#   make dist-all    also the wheels for the other architecture, of x86-64 and AArch64, and archives and wheels for Windows and
#                    macOS; needs Maven Central too
#   make wheels   the wheels alone
#   make test-dist   installs each package into an empty place and tries it
#   make test-conan   tries the recipe for Conan; needs the package index PyPI, and compiles the library twice
#   make check-reproducible   makes the packages again elsewhere, and compares them with those in dist, byte for byte
#   make abi      the binary interface of libweir.so, build-dist/abi/libweir-….abi, compared with ABI_OLD=FILE
#   make docs     the documentation as a site, build/site/index.html; needs the package index PyPI once
#   make update   writes again all that is generated or recorded, and says what changed; UPDATE="generate counters" does these alone
#   make update-conformance  records the results of the JSON Schema suites; tests fail if they get worse
#   make update-counters     records the engine's counters; a test compares them
#   make update-mask-walks   records the masks that the JavaScript package's are compared with
#   make deps     installs missing Debian packages, and says which
#   make format   clang-format on everything tracked;  make lint   clang-tidy
#   make lint-workflows   checks .github/workflows; needs the package index PyPI once
#   make clean    removes the build directories

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CTEST = ctest --output-on-failure --parallel $(JOBS) --no-tests=error
SOURCES = git ls-files 'src/*.h' 'src/*.cc' 'include/*.h' 'apps/*.h' 'apps/*.cc' 'tests/*.h' 'tests/*.cc' 'bench/*.h' \
          'bench/*.cc' 'examples/*.cc' 'examples/*.c' 'tests/*.c' 'python/*.h' 'python/*.cc'

.DELETE_ON_ERROR:
.PHONY: all deps clang-deps dev-deps wasm-deps demo test check asan tsan fuzz fuzz-coverage mutation growth debug bench dist dist-all wheels test-dist test-conan check-reproducible abi docs wasm js js-packages test-js test-js-integrations playground test-playground test-rust test-candle rust-deps test-integrations test-serving \
        update update-conformance update-counters update-mask-walks format lint lint-workflows clean

all: deps
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

deps:
	@tools/install_deps.sh

clang-deps:
	@tools/install_deps.sh --clang

dev-deps:
	@tools/install_deps.sh --dev

rust-deps:
	@tools/install_deps.sh --rust

wasm-deps:
	@tools/install_deps.sh --wasm

demo: deps
	@echo "building weir, which takes minutes the first time"
	@mkdir -p build
	@(cmake --preset release && cmake --build --preset release --parallel $(JOBS) --target weir weir_demo weir_language_model) \
	  >build/demo.log 2>&1 || { cat build/demo.log; exit 1; }
	@tools/demo.sh build

check: all
	cd build && $(CTEST)
	@grep -h '^skipped: ' build/Testing/Temporary/LastTest.log || true

# The sanitizer builds run first, so that a log ends with the release build's summary.
test: asan tsan check wasm-deps
	@if $(MAKE) --no-print-directory js-packages; then $(MAKE) --no-print-directory test-js; \
	elif npm ping --fetch-retries=0 --fetch-timeout=10000 >/dev/null 2>&1; then exit 1; \
	else echo "skipped: the JavaScript package's tests: the package index npm cannot be reached"; fi

# Links the release build's test code (WEIR_TEST_CODE_OF in CMakeLists.txt).
asan: deps
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target sanitized_tests
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS) --target sanitized_tests
	cd build-asan && $(CTEST) -LE 'slow|command'

tsan: clang-deps
	cmake --preset tsan
	cmake --build --preset tsan --parallel $(JOBS) --target thread_tests
	cd build-tsan && $(CTEST) -L threads

# Findings are written to build-fuzz. The input of a fixed defect belongs in tests/fuzz/corpus.
FUZZ_SECONDS ?= 60
fuzz: clang-deps
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS) --target fuzz_targets
	tools/run_fuzz.sh build-fuzz $(FUZZ_SECONDS)

fuzz-coverage:
	@tools/install_deps.sh --coverage
	cmake --preset fuzz-coverage
	cmake --build --preset fuzz-coverage --parallel $(JOBS) --target test_fuzz_replay
	tools/fuzz_coverage.py build-fuzz-coverage build-fuzz/corpus --unreached build-fuzz-coverage/unreached.txt

# Results are kept in build-mutation; a second call continues. MUTATION_OPTIONS=--report prints them.
MUTANTS ?= 1000
MUTATION_OPTIONS ?=
mutation:
	@tools/install_deps.sh --mutation
	tools/mutation/mutate.py build-mutation --count $(MUTANTS) $(MUTATION_OPTIONS)

# A case alone: make growth GROWTH_CASE=json_schema_numbers/minLength
GROWTH_CASE ?=
growth: deps
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target test_growth
	WEIR_GROWTH=whole WEIR_GROWTH_CASE=$(GROWTH_CASE) build/tests/growth/test_growth

debug: deps
	cmake --preset debug
	cmake --build --preset debug --parallel $(JOBS)

bench: all
	@for benchmark in build/bench/bench_*; do echo "== $$benchmark"; $$benchmark || exit 1; done

dist dist-all:
	@tools/install_deps.sh --dist $(if $(filter dist-all,$@),--cross)
	tools/dist/make_packages.sh build-dist/packages dist $(JOBS)
	tools/dist/make_wheels.sh build-dist/wheels dist $(JOBS) $(if $(filter dist-all,$@),--all-architectures)
	$(if $(filter dist-all,$@),tools/dist/make_cross.sh build-dist/wheels dist $(JOBS) windows-x86_64 macos-x86_64 macos-arm64)

wheels: deps
	tools/dist/make_wheels.sh build-dist/wheels dist $(JOBS)

test-dist:
	@tools/install_deps.sh --dist
	tests/dist/run.sh dist build-dist/test

test-conan: deps
	tests/dist/conan_test.sh build-dist/conan $(JOBS)

check-reproducible:
	@tools/install_deps.sh --dist
	tools/dist/check_reproducible.sh dist build-dist/again $(JOBS)

ABI_OLD ?=
abi:
	@tools/install_deps.sh --abi
	tools/dist/check_abi.sh build-dist/abi build-dist/abi/libweir-$(shell cat VERSION)-$(shell uname -m).abi $(JOBS) $(ABI_OLD)

docs: deps
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target weir_library
	tools/docs/make_site.sh build

wasm: wasm-deps
	cmake --preset wasm
	cmake --build --preset wasm --parallel $(JOBS) --target weir_wasm weir_wasm_full

# npm writes node_modules/.package-lock.json when it has installed everything.
js-packages: js/node_modules/.package-lock.json
js/node_modules/.package-lock.json: js/package-lock.json | wasm-deps
	cd js && npm ci --ignore-scripts --no-progress
	@touch $@

# Not `npm ci`, which refuses the lock file: npm writes rollup's packages for two platforms of 26 into it.
playground/node_modules/.package-lock.json: playground/package-lock.json | wasm-deps
	cd playground && npm install --no-save --ignore-scripts --no-progress
	@touch $@

js: wasm js-packages
	cd js && node tools/build.mjs

test-js: js
	cd js && node --expose-gc --test test/*.test.mjs

# Not `npm ci`: npm writes the packages for this platform alone into the lock file.
js/integrations/node_modules/.package-lock.json: js/integrations/package-lock.json | wasm-deps
	cd js/integrations && npm install --no-save --ignore-scripts --no-progress
	@touch $@

test-js-integrations: js js/integrations/node_modules/.package-lock.json
	cd js/integrations && node --test

test-rust: rust-deps
	tests/rust/run.sh build-rust

test-candle: rust-deps
	tests/rust/candle.sh build-rust

playground: js playground/node_modules/.package-lock.json
	cd playground && npm run --silent build

test-playground: playground
	@tools/install_deps.sh --browsers
	cd playground && npm test --silent

test-integrations: all
	tests/python/run.sh build --integrations

test-serving: deps
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target weir_library
	tests/serving/run.sh build

# What it writes: tools/update.py. Without the Python package (tests/python/run.sh build makes it) its pictures and pages are left out.
UPDATE ?=
update: all
	python3 tools/update.py build $(UPDATE)

update-conformance: deps
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target weir
	python3 tests/conformance/json_schema/suite_test.py build/weir --update
	python3 tests/conformance/json_schema/maskbench_test.py build/weir --update
	python3 tests/conformance/json_schema/schemastore_test.py build/weir --update
	python3 tests/conformance/tool_styles/styles_test.py build/weir --update

update-mask-walks: deps
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target test_mask_walks
	WEIR_UPDATE=1 build/tests/e2e/test_mask_walks

update-counters: deps
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target weir
	python3 tests/bench/counters_test.py build/weir --update

format: dev-deps
	$(SOURCES) | xargs clang-format-14 -i

lint: dev-deps
	cmake --preset release -B build-lint -DWEIR_UNITY=OFF
	git ls-files 'src/*.cc' 'apps/*.cc' | xargs -n 1 -P $(JOBS) clang-tidy-19 -p build-lint --quiet --warnings-as-errors='*'

lint-workflows: deps
	@test -x build-dist/lint/bin/check-jsonschema || \
	  { python3 -m venv build-dist/lint && build-dist/lint/bin/pip install --quiet --disable-pip-version-check check-jsonschema==0.39.0; }
	build-dist/lint/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	python3 tests/dist/workflows_test.py

clean:
	rm -rf build build-debug build-asan build-tsan build-fuzz build-lint build-plain build-wasm build-rust build-dist dist js/dist js/node_modules js/integrations/node_modules playground/dist playground/node_modules

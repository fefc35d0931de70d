#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rules of the tree that no compiler checks: layers, banned calls, SPDX lines, paths, words.

usage: tidy.py [ROOT]

Prints one line per violation, `path:line: rule: what is wrong and what to do`, and exits 1 if there
is one. A line is excused by `// tidy: allow RULE, REASON` at its end or alone on the line before;
the reason is mandatory. The check is textual: it reads code with comments and string contents
blanked, so it can miss a violation that is well hidden, but it does not cry wolf over a comment.
"""

import glob
import os
import re
import sys

# The folders below tactus/ and those of the program, in the order in which data flows. Each may
# include itself and those before it; the files of a folder itself and those of each subfolder are
# layers of their own.
LAYERS = ["conductor", "core", "signal", "solver", "world", "plant", "vehicle", "sensor",
          "autopilot", "autopilot/mission", "autopilot/airframe", "autopilot/parameters",
          "autopilot/builtin", "engine",
          "spec/toml", "spec/model", "spec/schema", "spec/vehicle", "spec/reader", "spec/import",
          "scenario", "files", "record", "record/hdf5",
          "link/net", "link/mavlink", "link/px4", "link/ardupilot", "link/conduct",
          "link/ground_station",
          "flight/external", "flight/pace", "flight", "flight/report",
          "replay/diff", "replay/playback", "replay/compare", "replay/component", "replay/branch",
          "replay/trace", "replay/ulog",
          "replay", "bridge/adapter", "bridge", "fleet", "verify", "sweep/statistics",
          "sweep/design", "sweep/search", "sweep/rare",
          "sweep/campaign", "sweep/flying", "sweep/seeds", "sweep/results", "sweep", "sweep/report",
          "cli/common", "cli/extra", "cli/verify", "cli/compare", "cli/run", "cli/replay",
          "cli/diff", "cli/branch", "cli/bridge", "cli/sweep", "cli"]
# Where the same-bits contract forbids what differs between machines. They are also the library
# tactus::simulation (cmake/library.cmake), which has no way to files, sockets and threads.
STRICT = ["core", "signal", "solver", "world", "plant", "vehicle", "sensor", "autopilot", "engine",
          "spec", "scenario"]
# The contract holds in these, too: what they compute is part of the answer of a campaign.
SAME_BITS = STRICT + ["sweep/statistics", "sweep/design", "sweep/search", "sweep/rare"]

SOURCE_SUFFIXES = (".h", ".cpp", ".cu", ".sh", ".py", ".cmake")
CXX_SUFFIXES = (".h", ".cpp", ".cu")
SCRIPT_NAMES = ("run", "test", "CMakeLists.txt")
SKIPPED_FOLDERS = {".git", "build", "node_modules", "__pycache__", ".cache"}
MAX_COLUMNS = 100
MAX_LINES = 600
MAX_CLI_LINES = 250  # the program parses and prints; what is longer belongs to the library

LIBM = ("sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 "
        "log10 log1p pow cbrt hypot erf erfc tgamma lgamma fmod remainder remquo modf frexp ldexp "
        "scalbn logb ilogb nextafter floor ceil trunc round lround llround rint lrint llrint "
        "nearbyint").split()
# Exact in IEEE 754, so only their place is restricted: core/math*.h wraps them for all.
WRAPPED = "sqrt fabs copysign abs signbit isnan isinf isfinite".split()
LIBM_NAMES = "|".join(LIBM)
WRAPPED_NAMES = "|".join(WRAPPED)
INTEGER = (r"(?:std::)?(?:u?int(?:8|16|32|64|ptr)?(?:_fast\d+|_least\d+)?_t|size_t|ptrdiff_t|int|"
           r"long(?: long)?|short|unsigned(?: \w+)*|signed(?: \w+)*)")

# rule, pattern on blanked code, advice. The layers it holds in: SAME_BITS.
BANNED = [
    ("libm", rf"\bstd::(?:{LIBM_NAMES})[fl]?\s*\(", "call tactus::math, libm differs by machine"),
    ("libm", rf"(?<![\w:.>])::(?:{LIBM_NAMES})[fl]?\s*\(", "call tactus::math, libm differs"),
    ("libm", r"#\s*include\s*<(?:cmath|math\.h|complex|numbers)>", "include tactus/core/math.h"),
    ("libm", rf"\b__builtin_(?:{LIBM_NAMES})[fl]?\s*\(", "call tactus::math"),
    ("wrapped-math", rf"\bstd::(?:{WRAPPED_NAMES})\s*\(", "call tactus::math"),
    ("bare-math", rf"(?<![\w:.>])(?:{LIBM_NAMES}|sqrt|fabs|copysign)\s*\(",
     "write math::, a bare name may be libm's"),
    ("unordered-math", r"\b(?:std::|__builtin_)?(?:fma|lerp|fmin|fmax|fdim)[fl]?\s*\(",
     "contracts or orders NaN and zero differently; write the expression"),
    ("unordered-math", r"\bstd::(?:reduce|transform_reduce|execution)\b",
     "the order of a sum is part of the result; write the loop"),
    ("long-double", r"\blong\s+double\b|\b__float128\b", "its width differs by machine"),
    ("random", r"#\s*include\s*<random>|\bstd::(?:mt19937\w*|random_device|\w+_distribution)\b",
     "use tactus/core/random.h"),
    ("random", r"\b(?:std::)?s?rand\s*\(|\bdrand48\s*\(", "use tactus/core/random.h"),
    ("unordered", r"\bunordered_(?:multi)?(?:map|set)\b", "its order is not defined; use std::map"),
    ("clock", r"\bstd::chrono\b|#\s*include\s*<chrono>|\bgettimeofday\s*\(|\bclock_gettime\s*\(",
     "time is TimeUs; wall clocks live in link, bridge, cli"),
    ("clock", r"(?<![\w.>:])(?:std::)?(?:time|clock)\s*\((?:\s*|nullptr|NULL|0|&\w+)\)",
     "time is TimeUs; wall clocks live in link, bridge, cli"),
    ("locale", r"\bstd::(?:stod|stof|stold|strtod|strtof|strtold|atof|locale|setlocale)\b|"
               r"(?<![\w.:])(?:strtod|strtof|atof|setlocale|sscanf)\s*\(|#\s*include\s*<locale>",
     "depends on the locale; use std::from_chars"),
    ("directory-order", r"\b(?:recursive_)?directory_iterator\b|\breaddir\s*\(",
     "its order is not defined; sort the names"),
    ("integer-cast", rf"\bstatic_cast<\s*(?:const\s+)?{INTEGER}\s*>\s*\([^;]*"
                     r"(?:\d\.\d*(?:e[-+]?\d+)?|\bmath::(?!bits)|_(?:s|m|rad|kg|hz)\b|\bdouble\b)",
     "undefined when out of range; use the checked conversion"),
    ("integer-cast", rf"\(\s*{INTEGER}\s*\)\s*[\w(]+[^;]*\d\.\d", "use the checked conversion"),
    ("plain-char", r"(?<![\w<])char\s+\w+\s*=\s*(?:-?\d|[^;]*[^'\s]\s*[-+*]\s*[^'\s])",
     "its sign differs by machine; use std::int8_t or unsigned char"),
    ("plain-char", r"\bstatic_cast<char>\s*\([^)]*[-*]", "its sign differs by machine"),
    ("fast-math", r"#\s*pragma\s+(?:GCC\s+optimize|STDC\s+FP_CONTRACT\s+ON|clang\s+fp)|"
                  r"__attribute__\s*\(\(\s*optimize", "flags live in cmake, one place"),
]
BANNED += [
    ("simulation", r"#\s*include\s*<(?:thread|mutex|shared_mutex|condition_variable|future|atomic|"
                   r"fstream|fcntl\.h|unistd\.h|dlfcn\.h|signal\.h|csignal|sys/\w+\.h)>",
     "the simulation has no way to files, sockets, threads; ask Files, or go to a later layer"),
    ("simulation", r"\b(?:std::)?getenv\s*\(|\bthread_local\b", "the environment decides"),
]
BANNED = [(rule, re.compile(pattern), advice) for rule, pattern, advice in BANNED]

MATH_HEADER = re.compile(r"^tactus/core/math\w*\.h$")
MACHINE_PATH = re.compile(r"(?<![\w.$}{/-])/(?:home|root|work|tmp|Users)/\w")
ALLOW = re.compile(r"(?://|#) tidy: allow ([\w-]+)(, \S.*)?$")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<((?:tactus|cli|tests)/[^>]+)>)')

# Metaphors for what has a plain name in the field. Read in comments, texts and the parts of names.
UNPLAIN = re.compile(r"\b(?:(?:some|no|any|every)body|whoever|seats?|riders?|teams?|dear|patience|"
                     r"business|last words|a lie|looking|look_at_\w+|"
                     r"(?:simulators?|autopilots?) outside(?! of\b))\b")
NAME_PARTS = re.compile(r"_|(?<=[a-z0-9])(?=[A-Z])")
# They list the words, or names that are gone.
FREE_OF_WORDS = ("tests/tidy/tidy.py", "tests/tidy/tidy_selftest.py", "CHANGELOG.md")


def blank_code(text):
    """Comments and the contents of strings become spaces; lines and columns stay."""
    out = []
    i = 0
    token = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'
                       r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.S)
    for match in token.finditer(text):
        out.append(text[i:match.start()])
        piece = match.group()
        line_start = text.rfind("\n", 0, match.start()) + 1
        if re.match(r"\s*#\s*include", text[line_start:match.start()]):
            out.append(piece)
        elif piece[0] in "\"'":
            out.append(piece[0] + re.sub(r"[^\n]", " ", piece[1:-1]) + piece[-1])
        else:
            out.append(re.sub(r"[^\n]", " ", piece))
        i = match.end()
    out.append(text[i:])
    return "".join(out)


def layer_of(path):
    """The folder that holds a file: below tactus/, or cli/ and below it."""
    parts = path.split("/")
    if parts[0] == "tactus" and len(parts) > 2:
        return "/".join(parts[1:-1])
    return "/".join(parts[:-1]) if parts[0] == "cli" else None


def is_strict(path):
    layer = layer_of(path)
    return layer is not None and (layer in SAME_BITS or layer.split("/")[0] in STRICT)


class Checker:
    def __init__(self):
        self.violations = []
        self.notes = []

    def check_file(self, path, text):
        lines = text.split("\n")
        self.path = path
        self.allowed = self.read_excuses(lines)
        self.check_text(lines)
        if path.endswith(CXX_SUFFIXES):
            code = blank_code(text).split("\n")
            self.check_includes(lines)
            if is_strict(path):
                self.check_banned(code)
        if path.endswith(".h") and "#pragma once" not in lines:
            self.report(1, "pragma-once", "a header starts with #pragma once")

    def read_excuses(self, lines):
        allowed = set()
        for number, line in enumerate(lines, 1):
            match = ALLOW.search(line)
            if match and not match[2]:
                self.violations.append(f"{self.path}:{number}: excuse: say why, after a comma")
            if match:
                alone = line.strip().startswith(("//", "#"))
                allowed.add((number + 1 if alone else number, match[1]))
        return allowed

    def report(self, number, rule, message):
        if (number, rule) not in self.allowed:
            self.violations.append(f"{self.path}:{number}: {rule}: {message}")

    def check_text(self, lines):
        head = "\n".join(lines[:6])
        is_source = (self.path.endswith(SOURCE_SUFFIXES) or
                     os.path.basename(self.path) in SCRIPT_NAMES)
        if is_source and not ("SPDX-FileCopyrightText: 2026 The Tactus authors" in head and
                              "SPDX-License-Identifier: BSD-3-Clause" in head):
            self.report(1, "spdx", "the two SPDX lines are missing at the top")
        for number, line in enumerate(lines, 1):
            if is_source and "\t" in line:
                self.report(number, "tab", "use spaces")
            if is_source and len(line) > MAX_COLUMNS:
                self.report(number, "columns", f"{len(line)} columns, at most {MAX_COLUMNS}")
            if line != line.rstrip():
                self.report(number, "trailing-space", "remove it")
            if MACHINE_PATH.search(line):
                self.report(number, "machine-path", "a path of one machine does not belong here")
            self.check_words(number, line)
        if is_source and len(lines) > MAX_LINES:
            self.notes.append(f"{self.path}: note: {len(lines)} lines; split it?")
        if self.path.startswith("cli/") and len(lines) > MAX_CLI_LINES:
            self.report(MAX_CLI_LINES + 1, "cli-lines", f"{len(lines)} lines, at most "
                        f"{MAX_CLI_LINES}: what the program does belongs to the library")

    def check_words(self, number, line):
        if self.path in FREE_OF_WORDS:
            return
        # Lie, with a capital, is a mathematician.
        line = line.replace("Lie", "")
        for plain in (NAME_PARTS.sub(" ", line), line):
            match = UNPLAIN.search(plain.lower())
            if match:
                self.report(number, "words", f"`{match.group()}`: say what it is or does: caller, "
                            "observer, user, session, external simulator, check, ...")
                return

    def check_includes(self, lines):
        own = layer_of(self.path)
        if own not in LAYERS:
            if own is not None:
                self.report(1, "layer", f"folder {own} is not a layer of tests/tidy/tidy.py")
            return
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            other = layer_of(match[1]) if match[1] else None
            if other is None:
                self.report(number, "include-path", f'"{match[1] or match[2]}": write the path '
                            'from the root, e.g. "tactus/core/time.h"; other libraries go in <>')
            elif other not in LAYERS:
                self.report(number, "layer", f"{other} is not a layer of tests/tidy/tidy.py")
            elif LAYERS.index(other) > LAYERS.index(own):
                self.report(number, "layer", f"{own} may not include {other}: it comes later")

    def check_banned(self, code):
        is_math = MATH_HEADER.match(self.path)
        for number, line in enumerate(code, 1):
            for rule, pattern, advice in BANNED:
                if is_math and (rule in ("wrapped-math", "bare-math") or "<cmath>" in line):
                    continue
                match = pattern.search(line)
                if match:
                    self.report(number, rule, f"`{match.group().strip()}`: {advice}")


def check_layers(root):
    """Every folder is a layer and every layer a folder; the documents list them in this order."""
    def read(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    problems = []
    folders = {layer_of(path) for path in tree_files(root) if path.endswith(CXX_SUFFIXES)}
    for layer in LAYERS:
        if layer not in folders:
            problems.append(f"tests/tidy/tidy.py:1: layer: there is no folder of the layer {layer}")
    tops = list(dict.fromkeys(layer.split("/")[0] for layer in LAYERS))
    tables = {"README.md": r"^\| `(?:tactus/)?(\w+)/` \|",
              "docs/architecture.md": r"^\| `(\w+)` \|"}
    for path, pattern in tables.items():
        listed = [name for name in re.findall(pattern, read(path), re.M)
                  if name not in ("tests", "cmake", "docs", "aircraft", "assertion")]
        if listed != tops:
            problems.append(f"{path}:1: layer: its table lists {' '.join(listed)}, the layers are "
                            f"{' '.join(tops)}")
    match = re.search(r"set\(TACTUS_SIMULATION_FOLDERS([^)]*)\)", read("cmake/library.cmake"))
    if match[1].split() != STRICT:
        problems.append("cmake/library.cmake:1: layer: TACTUS_SIMULATION_FOLDERS are not those of "
                        "STRICT in tests/tidy/tidy.py")
    return problems


def check_paths_in_documents(root):
    """Sources that the documents name exist."""
    problems = []
    tops = "|".join(dict.fromkeys(layer.split("/")[0] for layer in LAYERS
                                 if not layer.startswith("cli")))
    source = re.compile(rf"`(?:tactus/)?((?:{tops})/[\w/]+\.(?:h|cpp))`")
    beside = re.compile(r"`((?:tests|bench|examples|scenarios|aircraft|missions|cmake)"
                        r"/[a-z0-9_./*-]+\.\w+)`")
    for path in tree_files(root):
        if not path.endswith(".md") or path == "CHANGELOG.md":
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for match in source.finditer(line):
                    name = match[1] if match[1].startswith("cli/") else "tactus/" + match[1]
                    if not os.path.exists(os.path.join(root, name)):
                        problems.append(f"{path}:{number}: document: there is no {name}")
                for match in beside.finditer(line):
                    if not glob.glob(os.path.join(root, match[1])):
                        problems.append(f"{path}:{number}: document: there is no {match[1]}")
    return problems


# `folder/file` in docs/testing.md, then names of tests or of their suites, "Begin…" for short.
NAMED_TEST = re.compile(r"`([\w./ ]+)`|\b([A-Z]\w*)(…?)")
TEST_NAMES = re.compile(r"\b(?:TYPED_)?(?:TEST(?:_[FP])?|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)")


def check_tests_in_documents(root):
    """The tests that docs/testing.md names are in the file that it names."""
    def test_files(name, folder):
        pattern = os.path.join(root, "tests", name if "/" in name else f"{folder}/{name}")
        return glob.glob(pattern + "_test.cpp") + glob.glob(pattern + ".sh")

    problems = []
    path = "docs/testing.md"
    folder = None
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("## "):
            folder = None
        if not line.startswith("| "):
            default = re.search(r"`tests/(\w+)/`", line)
            folder = default[1] if default else folder
            continue
        # What is in brackets are remarks, unless it names a file.
        column = re.sub(r"\([^`()]*\)", "", line.split("|")[-2])
        file, names = None, None
        for match in NAMED_TEST.finditer(column):
            if match[1]:
                file, names = match[1], None
                sources = test_files(file, folder)
                if len(sources) == 1:
                    with open(sources[0], encoding="utf-8") as source:
                        names = {name for pair in TEST_NAMES.findall(source.read())
                                 for name in pair}
                elif re.fullmatch(r"[a-z_0-9]+(/[a-z_0-9]+)?", file) and not \
                        os.path.exists(os.path.join(root, "tests", file, "run.sh")) and not \
                        os.path.exists(os.path.join(root, file.replace("_", "/", 1) + ".cpp")):
                    problems.append(f"{path}:{number}: document: there is no test {file}")
            elif names is not None:
                found = [name for name in names
                         if name == match[2] or match[3] and name.startswith(match[2])]
                if not found:
                    problems.append(f"{path}:{number}: document: there is no test {match[2]} in "
                                    f"{file}")
    return problems


def tree_files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
            if name.endswith(SOURCE_SUFFIXES + (".md", ".txt", ".json", ".toml", ".in")) or \
                    name in SCRIPT_NAMES:
                yield path


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    checker = Checker()
    count = 0
    for path in tree_files(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            checker.check_file(path, file.read())
        count += 1
    checker.violations += (check_layers(root) + check_paths_in_documents(root) +
                           check_tests_in_documents(root))
    for line in checker.notes + checker.violations:
        print(line)
    print(f"tidy: {count} files, {len(checker.violations)} violations")
    return 1 if checker.violations or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

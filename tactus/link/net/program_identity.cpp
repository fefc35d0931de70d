// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/program_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "tactus/core/digest.h"
#include "tactus/core/printable.h"
#include "tactus/link/net/elf_file.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

constexpr char kNotKnown[] = "not known";
constexpr std::string_view kConductor = "libtactus_conductor.so";  // of this program, as its commit
constexpr std::string_view kCLibrary = "libc.so.6";

// By which C libraries, compilers' libraries and programs choose among functions. x86-64; of
// aarch64 all are taken.
constexpr std::string_view kChoosingFeatures[] = {
    "3dnow",    "abm",      "adx",      "aes",      "avx",    "avx2",   "avx512f",   "avx512bw",
    "avx512cd", "avx512dq", "avx512vl", "avx_vnni", "bmi1",   "bmi2",   "cx16",      "erms",
    "f16c",     "fma",      "fma4",     "fsrm",     "gfni",   "movbe",  "pclmulqdq", "popcnt",
    "rtm",      "sha_ni",   "sse3",     "pni",      "sse4_1", "sse4_2", "sse4a",     "ssse3",
    "vaes",     "xop",      "xsave",    "xsavec"};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string of_process(pid_t process, const char* what) {
  return fmt::format("/proc/{}/{}", process, what);
}

/// Files of its code, each once, by name.
std::set<std::string> loaded_files(pid_t process) {
  std::set<std::string> files;
  std::istringstream maps(text_of(of_process(process, "maps")));
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    const bool code = line.find(" r-xp ") != std::string::npos;
    if (code && path != std::string::npos) files.insert(line.substr(path));
  }
  return files;
}

/// Which build of it: without code that was added since, it has the same instructions.
std::string build_of(const ElfFile& file) {
  if (!file.is_elf()) return kNotKnown;
  if (const std::string id = file.build_id(); !id.empty()) return "build id " + id;
  Digest digest;
  digest.add_bytes(std::as_bytes(std::span(file.bytes())));
  return "XXH3 " + to_hex(digest.result());
}

/// How the GNU C library names itself, version and distribution; empty: it is another.
std::string c_library_name(const ElfFile& file) {
  constexpr std::string_view kBegin = "GNU C Library ";
  const std::string_view bytes = file.bytes();
  const std::size_t begin = bytes.find(kBegin);
  if (begin == std::string_view::npos) return "";
  std::string_view name = bytes.substr(begin, bytes.find('\n', begin) - begin);
  if (name.ends_with('.')) name.remove_suffix(1);
  return printable(name);
}

/// In the environment with which it was started. The C library may have ended each of them there.
std::string tunables_of(pid_t process) {
  constexpr std::string_view kName = "GLIBC_TUNABLES=";
  constexpr std::string_view kEach = "glibc.";
  const std::string all = text_of(of_process(process, "environ"));
  std::string found;
  for (std::size_t begin = 0; begin < all.size();) {
    std::string_view entry(all.c_str() + begin);
    begin += entry.size() + 1;
    if (entry.starts_with(kName)) {
      found = entry.substr(kName.size());
    } else if (!found.empty() && entry.starts_with(kEach)) {
      found += ":" + std::string(entry);
    } else if (!found.empty()) {
      break;
    }
  }
  return found.empty() ? "none" : printable(found);
}

/// A line of the kernel's about the first processor; empty: there is none of this name.
std::string processor_line(const std::string& all, std::string_view name) {
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    if (!line.starts_with(name)) continue;
    const std::size_t value = line.find(": ");
    if (value != std::string::npos) return line.substr(value + 2);
  }
  return "";
}

void add_processor(ProgramFacts& facts) {
  const std::string all = text_of("/proc/cpuinfo");
  std::string who;
  for (const char* name : {"model name", "vendor_id", "cpu family", "model\t", "stepping",
                           "CPU implementer", "CPU part", "CPU variant"}) {
    const std::string value = processor_line(all, name);
    if (!value.empty() && !who.empty()) who += ", ";
    who += value;
  }
  facts.push_back({"processor", who.empty() ? kNotKnown : printable(who)});
  std::string features = processor_line(all, "Features");
  std::istringstream flags(processor_line(all, "flags"));
  for (std::string flag; flags >> flag;) {
    if (std::ranges::find(kChoosingFeatures, flag) == std::end(kChoosingFeatures)) continue;
    features += (features.empty() ? "" : " ") + flag;
  }
  facts.push_back({"processor features", features.empty() ? kNotKnown : printable(features)});
}

}  // namespace

bool is_run_by_interpreter(pid_t process, const std::string& file) {
  std::ifstream script(file);
  std::string first;
  if (!std::getline(script, first) || !first.starts_with("#!")) return false;
  std::error_code ignored;
  const fs::path program = fs::read_symlink(of_process(process, "exe"), ignored);
  std::istringstream words(first.substr(2));
  for (std::string word; words >> word;) {
    if (fs::canonical(word, ignored) == program) return true;
    if (fs::path(word).filename() == program.filename()) return true;  // "/usr/bin/env bash"
  }
  return false;
}

ProgramFacts program_facts_of(pid_t process, const char* threads) {
  ProgramFacts facts;
  std::error_code ignored;
  const std::string program = fs::read_symlink(of_process(process, "exe"), ignored).string();
  const auto name_of = [](const std::string& path) {
    return printable(fs::path(path).filename().string());
  };
  facts.push_back({kProgramFact, program.empty() ? kNotKnown
                                                 : fmt::format("{}, {}", name_of(program),
                                                               build_of(ElfFile(program)))});
  for (const std::string& path : loaded_files(process)) {
    const std::string name = name_of(path);
    if (path == program || name == kConductor) continue;
    const ElfFile file(path);
    std::string value = build_of(file);
    if (name == kCLibrary) value = fmt::format("{}, {}", c_library_name(file), value);
    facts.push_back({"library " + name, value});
  }
  facts.push_back({"tunables", tunables_of(process)});
  facts.push_back({"threads", threads});
  add_processor(facts);
  return facts;
}

}  // namespace tactus

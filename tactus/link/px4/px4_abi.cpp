// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_abi.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/files/text_file.h"
#include "tactus/link/px4/private_file.h"

namespace tactus {
namespace {

/// A function pointer out of the void* that dlsym gives.
template <class Function>
void find(void* library, const std::string& path, const char* name, const char* why,
          Function& function) {
  void* const symbol = dlsym(library, name);
  if (symbol == nullptr) {
    throw Error(ExitCode::kPeer, fmt::format("{}: has no function {}: {}", path, name, why));
  }
  static_assert(sizeof(function) == sizeof(symbol));
  std::memcpy(&function, &symbol, sizeof(symbol));
}

/// How much of a shared library the loader maps. What comes after it, mostly for debuggers, can be
/// fifteen times as much. Of any other file everything: the loader will say what it is.
std::uint64_t loaded_bytes(const std::string& path) {
  constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return kEverything;  // a pipe would wait
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return kEverything;
  }
  std::vector<Elf64_Phdr> parts(header.e_phnum);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  file.read(reinterpret_cast<char*>(parts.data()),
            static_cast<std::streamsize>(parts.size() * sizeof(Elf64_Phdr)));
  if (!file || parts.empty()) return kEverything;
  std::uint64_t end = header.e_phoff + parts.size() * sizeof(Elf64_Phdr);
  for (const Elf64_Phdr& part : parts) end = std::max(end, part.p_offset + part.p_filesz);
  return end;
}

std::string last_error() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown reason" : text;
}

}  // namespace

void require_library_file(const std::string& path) {
  const std::string why = why_no_file(path);
  if (why.empty()) return;
  std::error_code failed;
  const std::filesystem::path inside = std::filesystem::path(path) / "libpx4_lockstep.so";
  const bool is_in_there = std::filesystem::is_regular_file(inside, failed);
  throw Error(ExitCode::kEnvironment,
              fmt::format("PX4 library \"{}\": {}; give the path of your libpx4_lockstep.so{}",
                          path, why, is_in_there ? ": " + inside.string() : ""));
}

Px4Copy::Px4Copy(const std::string& path, Px4Console& console) : path_(path) {
  const Px4Console::Window window(console);
  load();
  try {
    resolve();
    check_version();
    require_same_bits();
  } catch (const Error& error) {
    dlclose(library_);
    const bool same_bits = error.code() == ExitCode::kEnvironment;
    throw Error(error.code(), same_bits ? fmt::format("after loading {}: {}", path_, error.what())
                                        : std::string(error.what()));
  }
}

Px4Copy::~Px4Copy() { dlclose(library_); }

void Px4Copy::load() {
  require_library_file(path_);
  PrivateFile copy("libpx4-");
  copy.take_copy_of(path_, loaded_bytes(path_));
  // Threads of PX4 outlive its handle and sleep in this code: it must never be unmapped.
  library_ = dlopen(copy.path().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library_ != nullptr) return;
  throw Error(ExitCode::kEnvironment,
              fmt::format("{}: cannot be loaded: {}; it must be a shared library for this machine, "
                          "and the folder for temporary files (TMPDIR) must allow programs",
                          path_, last_error()));
}

void Px4Copy::resolve() {
  const char* const foreign = "this is not a libpx4_lockstep with C interface version 3";
  const auto entry = [&](const char* name, auto& function) {
    find(library_, path_, (std::string("px4_lockstep_") + name).c_str(), foreign, function);
  };
  entry("abi_version", call_.abi_version);
  entry("sizes", call_.sizes);
  entry("create", call_.create);
  entry("destroy", call_.destroy);
  entry("load_mission_qgc_wpl", call_.load_mission_qgc_wpl);
  entry("step_uorb", call_.step_uorb);
  entry("param_set_i32", call_.param_set_i32);
  entry("param_set_f32", call_.param_set_f32);
  entry("param_get_i32", call_.param_get_i32);
  entry("param_get_f32", call_.param_get_f32);
  entry("control_alloc_update_params", call_.control_alloc_update_params);
  entry("orb_topic_metadata", call_.orb_topic_metadata);
  entry("orb_create_publisher_ex", call_.orb_create_publisher_ex);
  entry("orb_queue_publish", call_.orb_queue_publish);
  entry("orb_create_subscriber", call_.orb_create_subscriber);
  entry("orb_check", call_.orb_check);
  entry("orb_copy", call_.orb_copy);
  find(library_, path_, "param_control_autosave",
       "without it the first parameter that changes would wait for ever on PX4's timer for saving; "
       "build the library with this symbol exported",
       call_.param_control_autosave);
}

void Px4Copy::check_version() const {
  const std::uint32_t version = call_.abi_version();
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::uint32_t config = 0;
  call_.sizes(&input, &output, &config);
  if (version == kPx4AbiVersion && input == 0 && output == 0 && config == sizeof(Px4Config)) return;
  throw Error(
      ExitCode::kPeer,
      fmt::format("{}: C interface version expected {}, actual {}; sizes in bytes of input, "
                  "output and config expected 0, 0, {}, actual {}, {}, {}: build the "
                  "library from a version of its sources that has interface version {}",
                  path_, kPx4AbiVersion, version, sizeof(Px4Config), input, output, config,
                  kPx4AbiVersion));
}

Px4Handle::Px4Handle(std::shared_ptr<const Px4Copy> copy, const Px4Config& config,
                     Px4Console& console)
    : copy_(std::move(copy)), console_(&console) {
  const Px4Console::Window window(console);
  handle_ = call().create(&config);
  if (handle_ == nullptr) {
    throw Error(ExitCode::kPeer,
                fmt::format("{}: px4_lockstep_create gave no PX4; one loaded copy holds one at a "
                            "time. It printed:{}",
                            path(), console.tail(5)));
  }
  call().param_control_autosave(false);
}

Px4Handle::~Px4Handle() {
  const Px4Console::Window window(*console_);
  call().destroy(handle_);
}

}  // namespace tactus

// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/program_imports.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace tactus {
namespace {

// Functions that wait, tell the time or start something, and that the conductor does not know.
constexpr std::string_view kUnordered[] = {"aio_read",
                                           "aio_suspend",
                                           "aio_write",
                                           "call_once",
                                           "clone",
                                           "cnd_timedwait",
                                           "cnd_wait",
                                           "epoll_create",
                                           "epoll_create1",
                                           "epoll_pwait",
                                           "epoll_pwait2",
                                           "epoll_wait",
                                           "io_uring_setup",
                                           "lio_listio",
                                           "mq_receive",
                                           "mq_timedreceive",
                                           "msgrcv",
                                           "mtx_lock",
                                           "mtx_timedlock",
                                           "pthread_clockjoin_np",
                                           "pthread_rwlock_clockrdlock",
                                           "pthread_rwlock_clockwrlock",
                                           "pthread_rwlock_timedrdlock",
                                           "pthread_rwlock_timedwrlock",
                                           "pthread_timedjoin_np",
                                           "recvmmsg",
                                           "semop",
                                           "semtimedop",
                                           "setitimer",
                                           "signalfd",
                                           "sigsuspend",
                                           "sigtimedwait",
                                           "sigwait",
                                           "sigwaitinfo",
                                           "thrd_create",
                                           "thrd_sleep",
                                           "timer_create",
                                           "timerfd_create",
                                           "timespec_get",
                                           "ualarm",
                                           "vfork"};

constexpr std::string_view kSanitizers[] = {"__asan_init", "__tsan_init", "__msan_init"};

/// The parts of a 64-bit ELF file that are needed here; everything in it is checked.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phentsize != sizeof(Elf64_Phdr))
      return;
    header_ = header;
  }

  [[nodiscard]] bool is_program() const { return header_.has_value(); }

  /// Whether a loader starts it, which is what loads the conductor.
  [[nodiscard]] bool is_dynamic() const {
    for (std::size_t i = 0; i < header_->e_phnum; ++i) {
      const auto part = at<Elf64_Phdr>(header_->e_phoff + i * sizeof(Elf64_Phdr));
      if (part && part->p_type == PT_INTERP) return true;
    }
    return false;
  }

  /// Of the functions that it wants from libraries.
  [[nodiscard]] std::vector<std::string> imports() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < header_->e_shnum; ++i) {
      const auto section = section_at(i);
      if (!section || section->sh_type != SHT_DYNSYM) continue;
      const auto texts = section_at(section->sh_link);
      if (!texts) continue;
      for (std::size_t k = 0; k < section->sh_size / sizeof(Elf64_Sym); ++k) {
        const auto symbol = at<Elf64_Sym>(section->sh_offset + k * sizeof(Elf64_Sym));
        if (symbol && symbol->st_shndx == SHN_UNDEF && symbol->st_name < texts->sh_size) {
          names.push_back(text_at(texts->sh_offset + symbol->st_name));
        }
      }
    }
    return names;
  }

 private:
  template <class Part>
  [[nodiscard]] std::optional<Part> at(std::size_t place) const {
    Part part;
    if (place > bytes_.size() || bytes_.size() - place < sizeof part) return std::nullopt;
    std::memcpy(&part, bytes_.data() + place, sizeof part);
    return part;
  }

  [[nodiscard]] std::optional<Elf64_Shdr> section_at(std::size_t index) const {
    if (index >= header_->e_shnum) return std::nullopt;
    return at<Elf64_Shdr>(header_->e_shoff + index * sizeof(Elf64_Shdr));
  }

  [[nodiscard]] std::string text_at(std::size_t place) const {
    if (place >= bytes_.size()) return "";
    const char* const begin = bytes_.data() + place;
    return {begin, ::strnlen(begin, bytes_.size() - place)};
  }

  std::vector<char> bytes_;
  std::optional<Elf64_Ehdr> header_;
};

}  // namespace

std::string why_not_conductible(const std::string& program) {
  const ElfFile file(program);
  if (!file.is_program()) return "";
  if (!file.is_dynamic()) return "it is linked statically, so the conductor cannot be loaded";
  for (const std::string& name : file.imports()) {
    if (std::ranges::find(kSanitizers, name) != std::end(kSanitizers)) {
      return fmt::format("it is built with a sanitizer ({}), whose threads cannot be conducted",
                         name);
    }
    if (std::ranges::find(kUnordered, name) != std::end(kUnordered)) {
      return fmt::format("it uses {}(), which the conductor does not know", name);
    }
  }
  return "";
}

}  // namespace tactus

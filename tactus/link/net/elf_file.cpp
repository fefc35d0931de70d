// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/elf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace tactus {

ElfFile::ElfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  bytes_.assign(std::istreambuf_iterator<char>(file), {});
  const auto header = at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phentsize != sizeof(Elf64_Phdr)) return;
  header_ = header;
}

bool ElfFile::has_loader() const {
  for (std::size_t i = 0; header_ && i < header_->e_phnum; ++i) {
    const auto part = at<Elf64_Phdr>(header_->e_phoff + i * sizeof(Elf64_Phdr));
    if (part && part->p_type == PT_INTERP) return true;
  }
  return false;
}

std::vector<std::string> ElfFile::imports() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; header_ && i < header_->e_shnum; ++i) {
    const auto section = section_at(i);
    if (!section || section->sh_type != SHT_DYNSYM) continue;
    const auto texts = section_at(section->sh_link);
    if (!texts) continue;
    for (std::size_t k = 0; k < section->sh_size / sizeof(Elf64_Sym); ++k) {
      const auto symbol = at<Elf64_Sym>(section->sh_offset + k * sizeof(Elf64_Sym));
      if (!symbol) break;
      if (symbol->st_shndx == SHN_UNDEF && symbol->st_name < texts->sh_size) {
        names.push_back(text_at(texts->sh_offset + symbol->st_name));
      }
    }
  }
  return names;
}

std::vector<std::string> ElfFile::libraries() const { return dynamic_texts(DT_NEEDED); }

std::vector<std::string> ElfFile::run_path() const {
  std::vector<std::string> folders;
  for (const Elf64_Sxword tag : {DT_RUNPATH, DT_RPATH}) {
    for (const std::string& list : dynamic_texts(tag)) {
      for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(':', begin), list.size());
        if (end > begin) folders.push_back(list.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  }
  return folders;
}

std::string ElfFile::build_id() const {
  constexpr std::size_t kAlignment = 4;
  const auto aligned = [](std::size_t size) { return (size + kAlignment - 1) & ~(kAlignment - 1); };
  for (std::size_t i = 0; header_ && i < header_->e_phnum; ++i) {
    const auto part = at<Elf64_Phdr>(header_->e_phoff + i * sizeof(Elf64_Phdr));
    if (!part || part->p_type != PT_NOTE || part->p_filesz > bytes_.size()) continue;
    const std::size_t end = part->p_offset + part->p_filesz;
    for (std::size_t place = part->p_offset; place < end;) {
      const auto note = at<Elf64_Nhdr>(place);
      if (!note) break;
      const std::size_t name = place + sizeof *note;
      const std::size_t id = name + aligned(note->n_namesz);
      place = id + aligned(note->n_descsz);
      if (place > bytes_.size()) break;
      if (note->n_type != NT_GNU_BUILD_ID || text_at(name) != ELF_NOTE_GNU) continue;
      std::string text;
      for (std::size_t k = 0; k < note->n_descsz; ++k) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(bytes_[id + k]));
      }
      return text;
    }
  }
  return "";
}

template <class Part>
std::optional<Part> ElfFile::at(std::size_t place) const {
  Part part;
  if (place > bytes_.size() || bytes_.size() - place < sizeof part) return std::nullopt;
  std::memcpy(&part, bytes_.data() + place, sizeof part);
  return part;
}

std::optional<Elf64_Shdr> ElfFile::section_at(std::size_t index) const {
  if (index >= header_->e_shnum) return std::nullopt;
  return at<Elf64_Shdr>(header_->e_shoff + index * sizeof(Elf64_Shdr));
}

std::string ElfFile::text_at(std::size_t place) const {
  if (place >= bytes_.size()) return "";
  const char* const begin = bytes_.data() + place;
  return {begin, ::strnlen(begin, bytes_.size() - place)};
}

std::vector<std::string> ElfFile::dynamic_texts(Elf64_Sxword tag) const {
  std::vector<std::string> found;
  for (std::size_t i = 0; header_ && i < header_->e_shnum; ++i) {
    const auto section = section_at(i);
    if (!section || section->sh_type != SHT_DYNAMIC) continue;
    const auto texts = section_at(section->sh_link);
    if (!texts) continue;
    for (std::size_t k = 0; k < section->sh_size / sizeof(Elf64_Dyn); ++k) {
      const auto entry = at<Elf64_Dyn>(section->sh_offset + k * sizeof(Elf64_Dyn));
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag != tag || entry->d_un.d_val >= texts->sh_size) continue;
      found.push_back(text_at(texts->sh_offset + entry->d_un.d_val));
    }
  }
  return found;
}

}  // namespace tactus

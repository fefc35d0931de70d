// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <elf.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus {

/// The parts of a 64-bit program or library that are needed here; everything in it is checked.
class ElfFile {
 public:
  /// One that cannot be read, or is none, is no ELF file.
  explicit ElfFile(const std::string& path);

  [[nodiscard]] bool is_elf() const { return header_.has_value(); }
  /// Whether a loader starts it, which is what loads the conductor.
  [[nodiscard]] bool has_loader() const;
  /// Names of the functions and data that it wants from libraries.
  [[nodiscard]] std::vector<std::string> imports() const;
  /// The libraries that it names, and where else to look for them: the folders of its run path, in
  /// which $ORIGIN stands for the folder of the file.
  [[nodiscard]] std::vector<std::string> libraries() const;
  [[nodiscard]] std::vector<std::string> run_path() const;
  /// In hexadecimal digits; empty: it has none.
  [[nodiscard]] std::string build_id() const;
  /// All of it.
  [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

 private:
  template <class Part>
  [[nodiscard]] std::optional<Part> at(std::size_t place) const;
  [[nodiscard]] std::optional<Elf64_Shdr> section_at(std::size_t index) const;
  [[nodiscard]] std::string text_at(std::size_t place) const;
  /// What its entries of this kind in the dynamic section name.
  [[nodiscard]] std::vector<std::string> dynamic_texts(Elf64_Sxword tag) const;

  std::vector<char> bytes_;
  std::optional<Elf64_Ehdr> header_;
};

}  // namespace tactus

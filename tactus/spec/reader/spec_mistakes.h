// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Mistakes of a spec, collected so that one does not hide the next: what is wrong is left out.

#include <string>
#include <vector>

#include "tactus/spec/toml/toml_document.h"

namespace tactus {

class SpecMistakes {
 public:
  /// Runs a check; false: it threw, and its mistake is kept.
  template <class Check>
  bool collect(Check&& check) {
    try {
      check();
      return true;
    } catch (const PlacedError& mistake) {
      add(mistake);
      return false;
    }
  }
  void add(const PlacedError& mistake);
  /// A whole table was left out: what refers to it is not wrong because of that.
  void lose_table() { lost_table_ = true; }
  [[nodiscard]] bool lost_table() const { return lost_table_; }

  /// In the order in which they were found; the first ones, if there are many.
  [[nodiscard]] const std::vector<PlacedError>& found() const { return found_; }
  /// More than a user reads: there is no point in searching for others.
  [[nodiscard]] bool is_full() const { return found_.size() == kMost; }
  /// By file, line and column, each once; those of the command line last. Of very many the first
  /// ones, and how many more there are.
  [[nodiscard]] std::vector<Error> sorted() const;

 private:
  static constexpr std::size_t kMost = 100;

  std::vector<PlacedError> found_;
  std::size_t more_ = 0;
  bool lost_table_ = false;
};

}  // namespace tactus

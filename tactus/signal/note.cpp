// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/signal/note.h"

// tidy: allow simulation, flights in several threads share the texts
#include <mutex>
#include <set>

namespace tactus {

const char* kept_text(const std::string& text) {
  static std::mutex lock;
  static std::set<std::string> texts;
  const std::lock_guard<std::mutex> held(lock);
  return texts.insert(text).first->c_str();
}

}  // namespace tactus

// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_console.h"

#include <fmt/format.h>
#include <sys/types.h>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "tactus/core/error.h"

namespace tactus {
namespace {

/// Reserved at once, so that a step that prints does not allocate.
constexpr std::size_t kMaxText = std::size_t{256} << 10;

thread_local Px4Console* open_console = nullptr;

/// `stdout` as it was, and how many windows are open.
struct SharedStream {
  std::mutex mutex;
  int windows = 0;
  FILE* real = nullptr;
  FILE* ours = nullptr;
};

SharedStream& shared() {
  static SharedStream stream;
  return stream;
}

ssize_t write_text(void* /*cookie*/, const char* text, std::size_t size) {
  if (open_console != nullptr) {
    open_console->append({text, size});
    return static_cast<ssize_t>(size);
  }
  return static_cast<ssize_t>(std::fwrite(text, 1, size, shared().real));
}

/// Unbuffered: a text must reach write_text on the thread that printed it.
FILE* open_stream() {
  FILE* const stream = fopencookie(nullptr, "w", {nullptr, write_text, nullptr, nullptr});
  if (stream == nullptr || std::setvbuf(stream, nullptr, _IONBF, 0) != 0) {
    throw Error(ExitCode::kEnvironment, "cannot open a stream for what PX4 prints");
  }
  return stream;
}

}  // namespace

Px4Console::Px4Console() { text_.reserve(kMaxText); }

void Px4Console::append(std::string_view text) {
  const std::size_t fits = std::min(text.size(), kMaxText - text_.size());
  text_.append(text.substr(0, fits));
  left_out_ += text.size() - fits;
}

std::vector<std::string> Px4Console::lines() const {
  std::vector<std::string> lines(1);
  bool in_colour = false;  // ESC [ … letter
  for (const char letter : text_) {
    if (letter == '\x1b') {
      in_colour = true;
    } else if (in_colour) {
      in_colour = (letter < 'A' || letter > 'Z') && (letter < 'a' || letter > 'z');
    } else if (letter == '\n') {
      lines.emplace_back();
    } else if (letter != '\r') {
      lines.back() += letter == '\t' || letter >= ' ' ? letter : '?';
    }
  }
  if (lines.back().empty()) lines.pop_back();
  if (left_out_ > 0) lines.push_back(fmt::format("({} more bytes are not kept)", left_out_));
  return lines;
}

std::string Px4Console::tail(std::size_t count) const {
  const std::vector<std::string> all = lines();
  std::string text;
  for (std::size_t i = all.size() - std::min(count, all.size()); i < all.size(); ++i) {
    text += "\n    " + all[i];
  }
  return text;
}

Px4Console::Window::Window(Px4Console& console) : outer_(open_console) {
  open_console = &console;
  SharedStream& stream = shared();
  const std::lock_guard lock(stream.mutex);
  if (stream.ours == nullptr) stream.ours = open_stream();
  if (stream.windows++ > 0) return;
  stream.real = stdout;
  stdout = stream.ours;
}

Px4Console::Window::~Window() {
  SharedStream& stream = shared();
  {
    const std::lock_guard lock(stream.mutex);
    if (--stream.windows == 0) stdout = stream.real;
  }
  open_console = outer_;
}

}  // namespace tactus

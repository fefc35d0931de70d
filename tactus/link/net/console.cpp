// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/console.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tactus/core/error.h"

namespace tactus {
namespace {

/// Without escape sequences ("ESC [ … letter") and carriage returns.
std::string plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else if (text[i] != '\r' && text[i] != '\0') {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::unique_ptr<OutputFile> new_console_file(const std::string& path) {
  std::error_code unknown;
  const auto there = std::filesystem::symlink_status(path, unknown);
  if (std::filesystem::is_regular_file(there) && !OutputFile::is_being_written(path)) {
    std::filesystem::remove(path, unknown);
  }
  auto file = std::make_unique<OutputFile>(path, OutputRules{.named_early = true});
  file->begin();
  return file;
}

Console::Console(Descriptor output, std::unique_ptr<OutputFile> file, std::size_t kept,
                 std::size_t file_limit)
    : output_(std::move(output)), kept_(kept), file_limit_(file_limit), file_(std::move(file)) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(ExitCode::kEnvironment, "cannot open a pipe");
  stop_read_ = Descriptor(ends[0]);
  stop_write_ = Descriptor(ends[1]);
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  reader_ = std::thread([this] { read_all(); });
}

Console::~Console() {
  stop_write_.close();
  reader_.join();
}

void Console::read_all() {
  const std::array<int, 2> watched{output_.get(), stop_read_.get()};
  std::array<char, 4096> chunk;
  while (true) {
    wait_readable(watched, Deadline::after(DurationUs(0)), {});
    const ssize_t got = ::read(output_.get(), chunk.data(), chunk.size());
    if (got > 0) {
      take(std::string_view(chunk.data(), static_cast<std::size_t>(got)));
      continue;
    }
    if (got == 0) break;
    // Nothing there, yet awake: we are asked to stop.
    std::array<int, 1> stop{stop_read_.get()};
    if (wait_readable(stop, Deadline::now(), {}) == WaitResult::kReady) break;
  }
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void Console::take(std::string_view text) {
  const std::size_t room = file_limit_ - std::min(file_limit_, written_);
  const std::string_view part = text.substr(0, room);
  file_->append(part);
  written_ += part.size();
  const std::lock_guard lock(mutex_);
  if (failure_.empty() && file_->failure() != 0) {
    failure_ = fmt::format("{}: cannot be written: {}; it ends early", file_->path(),
                           file_->failure_text());
  }
  recent_ += text;
  // Seldom and by halves, so that a talkative program does not cost a copy per line.
  if (recent_.size() > 2 * kept_) recent_.erase(0, recent_.size() - kept_);
}

std::string Console::tail(std::size_t lines) const {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    text = plain(recent_);
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::size_t start = text.size();
  for (std::size_t i = 0; i < lines && start != 0; ++i) {
    const std::size_t newline = text.rfind('\n', start - 1);
    start = newline == std::string::npos ? 0 : newline;
  }
  if (start < text.size() && text[start] == '\n') ++start;
  constexpr std::size_t kMost = 4000;  // lines may be of any length
  if (text.size() - start <= kMost) return text.substr(start);
  start = text.size() - kMost;
  const auto is_inside_character = [](char c) {
    return (static_cast<unsigned>(c) & 0xC0U) == 0x80U;
  };
  while (start < text.size() && is_inside_character(text[start])) ++start;
  return "…" + text.substr(start);
}

std::string Console::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Console::wait_for_end() const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(200), [this] { return closed_; });
}

}  // namespace tactus

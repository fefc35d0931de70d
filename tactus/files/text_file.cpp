// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/files/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "tactus/core/error.h"
#include "tactus/core/files.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(ExitCode::kEnvironment, path + ": cannot be read: " + why);
}

std::string explain(int error) {
  return error == ENAMETOOLONG ? "a name of a file has 255 bytes at most" : std::strerror(error);
}

class OpenFile {
 public:
  /// Opening a pipe that has no writer would wait for one; O_NONBLOCK does not change how a regular
  /// file is read.
  explicit OpenFile(const std::string& path)
      : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {
    if (number_ >= 0) return;
    const int error = errno;
    fail(error == ENAMETOOLONG ? shortened(path, 60) : path, explain(error));
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(number_); }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Empty: regular.
const char* why_not_regular(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "is a folder";
  return S_ISREG(status.st_mode) ? "" : "is a pipe, a socket or a device, not a regular file";
}

void require_regular(int file, const std::string& path) {
  struct stat status {};
  if (fstat(file, &status) != 0) fail(path, std::strerror(errno));
  const std::string why = why_not_regular(status);
  if (!why.empty()) fail(path, why);
}

bool says_missing(int error) { return error == ENOENT || error == ENOTDIR; }

std::string read_file(const std::string& path, std::size_t most) {
  const std::size_t zero = path.find('\0');
  if (zero != std::string::npos) fail(path.substr(0, zero), "its name has a zero byte");
  const OpenFile file(path);
  require_regular(file.number(), path);
  std::string text;
  char buffer[16384];
  for (;;) {
    const ssize_t n = read(file.number(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, std::strerror(errno));
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > most) {
      fail(path, "is larger than " + std::to_string(most >> 20) + " MiB");
    }
  }
}

}  // namespace

std::string read_text_file(const std::string& path) { return read_file(path, kLargestTextFile); }

std::string read_log_file(const std::string& path) { return read_file(path, kLargestLog); }

std::string head_of_file(const std::string& path, std::size_t size) {
  if (!why_no_file(path).empty()) return "";
  std::string head(size, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(size));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

std::string why_no_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return why_not_regular(status);
  return says_missing(errno) ? "there is no such file" : explain(errno);
}

bool is_missing(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) != 0 && says_missing(errno);
}

}  // namespace tactus

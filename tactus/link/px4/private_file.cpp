// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "tactus/core/error.h"

namespace tactus {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ExitCode::kEnvironment, fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

}  // namespace

PrivateFile::PrivateFile(std::string_view prefix)
    : path_(fmt::format("{}/{}XXXXXX", temporary_folder(), prefix)) {
  file_ = mkostemp(path_.data(), O_CLOEXEC);
  if (file_ < 0) fail(path_, "cannot make a temporary file (TMPDIR names its folder)");
}

PrivateFile::~PrivateFile() {
  if (file_ >= 0) ::close(file_);
  unlink(path_.c_str());
}

void PrivateFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path_, "cannot be written");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PrivateFile::close() {
  const int result = ::close(file_);
  file_ = -1;
  if (result != 0) fail(path_, "cannot be written");
}

void PrivateFile::take_text(std::string_view text) {
  write(text);
  close();
}

void PrivateFile::take_copy_of(const std::string& path, std::uint64_t first_bytes) {
  errno = 0;
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) fail(path, "cannot be read");
  if (!S_ISREG(about.st_mode)) {  // before it is opened: a pipe would wait for its writer
    throw Error(ExitCode::kEnvironment, fmt::format("{}: is not a file", path));
  }
  std::ifstream source(path, std::ios::binary);
  if (!source) fail(path, "cannot be read");
  std::vector<char> block(std::size_t{1} << 20);
  while (first_bytes > 0 && source) {
    const std::uint64_t wanted = std::min<std::uint64_t>(first_bytes, block.size());
    source.read(block.data(), static_cast<std::streamsize>(wanted));
    write({block.data(), static_cast<std::size_t>(source.gcount())});
    first_bytes -= wanted;
  }
  if (source.bad()) fail(path, "cannot be read");
  close();
}

}  // namespace tactus

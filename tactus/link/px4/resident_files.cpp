// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/resident_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include "tactus/link/net/socket.h"

namespace tactus {

ResidentFiles::ResidentFiles(pid_t process) {
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);  // begin-end access offset device inode path
    std::uint64_t begin = 0, end = 0, offset = 0;
    char dash = 0;
    std::string access, device, inode, path;
    words >> std::hex >> begin >> dash >> end >> access >> offset >> device >> inode >> std::ws;
    std::getline(words, path);  // which may hold spaces
    if (path.empty() || path.front() != '/' || end <= begin) continue;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open()) continue;  // replaced since, or not to be read
    const std::size_t size = end - begin;
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, file.get(),
                            static_cast<off_t>(offset));
    if (at == MAP_FAILED) continue;
    ::mlock(at, size);
    parts_.push_back({at, size});
  }
}

ResidentFiles::~ResidentFiles() {
  for (const Part& part : parts_) ::munmap(part.at, part.size);
}

std::size_t ResidentFiles::bytes() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += part.size;
  return sum;
}

}  // namespace tactus

// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/program_progress.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace tactus {
namespace {

namespace fs = std::filesystem;

struct Load {
  bool wants_processor = false;
  std::uint64_t ticks = 0;
};

/// Adds one process, if it is the one or in its group. /proc/N/stat: proc(5).
void add(const fs::path& folder, pid_t process, Load& load) {
  std::ifstream file(folder / "stat");
  std::string line;
  if (!std::getline(file, line)) return;
  const std::size_t name_end = line.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos) return;
  std::istringstream rest(line.substr(name_end + 1));
  char state = '?';
  long parent = 0;
  long group = 0;
  rest >> state >> parent >> group;
  std::string skipped;
  for (int i = 6; i <= 13; ++i) rest >> skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  rest >> user >> system;
  if (!rest || (group != process && folder.filename() != std::to_string(process))) return;
  load.wants_processor |= state == 'R' || state == 'D';
  load.ticks += user + system;
}

Load load_of(pid_t process) {
  Load load;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      add(entry.path(), process, load);
    }
  }
  return load;
}

std::int64_t wall_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

bool ProgramProgress::may_still_come() {
  constexpr std::uint64_t kEnough_s = 2;
  constexpr std::int64_t kLongestIdle_ms = 500;
  const Load load = load_of(process_);
  const bool moved = first_ticks_ && load.ticks != last_ticks_;
  if (!first_ticks_) first_ticks_ = load.ticks;
  last_ticks_ = load.ticks;
  const auto ticks_per_s = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  if (load.ticks > *first_ticks_ + kEnough_s * ticks_per_s) return false;
  if (load.wants_processor || moved) {
    idle_since_ms_.reset();
    return true;
  }
  const std::int64_t now_ms = wall_ms();
  if (!idle_since_ms_) idle_since_ms_ = now_ms;
  return now_ms - *idle_since_ms_ < kLongestIdle_ms;
}

}  // namespace tactus

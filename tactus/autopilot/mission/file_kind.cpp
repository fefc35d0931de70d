// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/mission/file_kind.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tactus {
namespace {

using namespace std::string_view_literals;

struct Kind {
  std::string_view begin;
  const char* what;
};

constexpr char kMission[] = "a mission; `tactus run --mission` flies it";
constexpr char kTable[] = "a table of Tactus as CSV; `tactus run --record` writes recordings";

/// The first one that fits counts.
constexpr Kind kKinds[] = {
    {"ULog\x01\x12\x35"sv, "a ULog, the log of PX4; PlotJuggler, Flight Review and pyulog open it"},
    {"\xA3\x95"sv, "a DataFlash log of ArduPilot (.BIN); MAVExplorer and UAV Log Viewer open it"},
    {"\x89MCAP0\r\n"sv, "an MCAP file; Foxglove and the mcap tool open it"},
    {"#ROSBAG V"sv, "a ROS bag; ROS and PlotJuggler open it"},
    {"SQLite format 3"sv, "an SQLite database, as rosbag2 writes; sqlite3 and ROS open it"},
    {"\x1F\x8B"sv, "compressed with gzip; unpack it first"},
    {"PK\x03\x04"sv, "a zip archive; unpack it first"},
    {"\x28\xB5\x2F\xFD"sv, "compressed with zstd; unpack it first"},
    {"\xFD"
     "7zXZ"sv,
     "compressed with xz; unpack it first"},
    {"BZh"sv, "compressed with bzip2; unpack it first"},
    {"MATLAB 5.0"sv, "a MAT-file of MATLAB"},
    {"\x93NUMPY"sv, "an array of NumPy"},
    {"\x7F"
     "ELF"sv,
     "a program"},
    {"QGC WPL"sv, kMission},
    {"version https://git-lfs"sv, "a pointer of Git LFS; fetch the file: git lfs pull"},
    {"<?xml"sv, "an XML file"},
};

/// MAVLink frames, each after its time: eight bytes of microseconds since 1970, the first one
/// first.
bool is_telemetry_log(std::string_view bytes) {
  constexpr std::uint64_t kYear2000_us = 946'684'800'000'000;
  constexpr std::uint64_t kYear2100_us = 4'102'444'800'000'000;
  if (bytes.size() < 9) return false;
  std::uint64_t time_us = 0;
  for (const char byte : bytes.substr(0, 8)) {
    time_us = time_us << 8U | static_cast<unsigned char>(byte);
  }
  const bool is_frame = bytes[8] == '\xFD' || bytes[8] == '\xFE';
  return is_frame && time_us > kYear2000_us && time_us < kYear2100_us;
}

bool is_text(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
  });
}

/// The first line that is neither empty nor a comment, from its first character on.
std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#') return line.substr(first);
  }
  return {};
}

/// A file whose first bytes or first line no spec has.
std::string kind_of_head(std::string_view bytes) {
  for (const Kind& kind : kKinds) {
    if (bytes.starts_with(kind.begin)) return kind.what;
  }
  if (is_telemetry_log(bytes)) {
    return "a telemetry log of MAVLink (.tlog); QGroundControl and MAVExplorer open it";
  }
  const std::string_view line = first_line(bytes);
  if (line.starts_with("time_us,")) return kTable;
  if (!line.starts_with('{')) return {};
  const std::string_view head = bytes.substr(0, kFileHead);
  const bool is_plan = head.find("\"fileType\"") != std::string_view::npos &&
                       head.find("\"Plan\"") != std::string_view::npos;
  return is_plan ? kMission : "a JSON file";
}

/// The first line distinguishes a table from a spec.
const char* kind_of_text(std::string_view text) {
  const std::string_view line = first_line(text);
  const bool is_fleet = text.find("[[simulator]]") != std::string_view::npos ||
                        text.find("[[vehicle]]") != std::string_view::npos;
  if (is_fleet) return "a text file, a fleet perhaps; `tactus bridge` flies fleets";
  const bool is_table = line.starts_with('[') && line.find(']') != std::string_view::npos;
  const bool is_toml = is_table || line.find(" = ") != std::string_view::npos;
  if (is_toml) return "a text file, TOML perhaps; `tactus run` flies specs";
  return line.find(',') == std::string_view::npos ? "a text file" : "a text file, CSV perhaps";
}

}  // namespace

std::string describe_head(std::string_view head) {
  if (head.empty()) return "an empty file; record the flight again";
  std::string kind = kind_of_head(head);
  if (kind.empty() && is_text(head)) kind = kind_of_text(head);
  return kind;
}

std::string describe_if_foreign(std::string_view text) {
  if (text.starts_with("\x89HDF\r\n\x1a\n"sv)) {
    return "an HDF5 file, as recordings are; `tactus inspect` shows what is in one, `tactus "
           "replay` flies it again";
  }
  const std::string_view head = text.substr(0, kFileHead);
  std::string kind = kind_of_head(head);
  const std::string_view line = head.substr(0, head.find('\n'));
  if (kind.empty() && line.find('\0') != std::string_view::npos) kind = "no text in UTF-8";
  return kind;
}

}  // namespace tactus

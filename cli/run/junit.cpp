// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tactus/core/error.h"

namespace tactus::cli {
namespace {

/// XML 1.0 has no way to write most control characters.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string to_xml(const std::string& suite, const std::vector<TestCase>& cases) {
  const auto failures = std::count_if(cases.begin(), cases.end(),
                                      [](const TestCase& test) { return !test.failure.empty(); });
  const auto errors = std::count_if(cases.begin(), cases.end(),
                                    [](const TestCase& test) { return !test.error.empty(); });
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
      escaped(suite), cases.size(), failures, errors);
  for (const TestCase& test : cases) {
    xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(suite),
                       escaped(test.name));
    if (!test.error.empty()) {
      xml +=
          fmt::format(">\n      <error message=\"{}\"/>\n    </testcase>\n", escaped(test.error));
    } else if (!test.failure.empty()) {
      xml += fmt::format(">\n      <failure message=\"{}\"/>\n    </testcase>\n",
                         escaped(test.failure));
    } else {
      xml += "/>\n";
    }
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

[[noreturn]] void fail(const std::string& path) {
  throw Error(ExitCode::kEnvironment,
              fmt::format("--junit {}: cannot be written: {}", path, std::strerror(errno)));
}

}  // namespace

void open_junit(const std::string& path) {
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "ab");
  if (file == nullptr || std::fclose(file) != 0) fail(path);
}

void write_junit(const std::string& path, const std::string& suite,
                 const std::vector<TestCase>& cases) {
  const std::string xml = to_xml(suite, cases);
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) fail(path);
  const bool written = std::fwrite(xml.data(), 1, xml.size(), file) == xml.size();
  if (std::fclose(file) != 0 || !written) fail(path);
}

}  // namespace tactus::cli

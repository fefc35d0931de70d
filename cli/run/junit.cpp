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

using Outcome = TestCase::Outcome;

std::size_t count(const TestSuite& suite, Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(suite.cases.begin(), suite.cases.end(),
                    [outcome](const TestCase& test) { return test.outcome == outcome; }));
}

double wall_s(const TestSuite& suite) {
  double sum = 0.0;
  for (const TestCase& test : suite.cases) sum += test.wall_s;
  return sum;
}

std::string case_xml(const std::string& class_name, const TestCase& test) {
  constexpr const char* kElements[] = {"", "failure", "error", "skipped"};
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                                       escaped(class_name), escaped(test.name), test.wall_s);
  if (test.outcome == Outcome::kPassed) return head + "/>\n";
  return head + fmt::format(">\n      <{} type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
                            kElements[static_cast<std::size_t>(test.outcome)], escaped(test.type),
                            escaped(test.message));
}

std::string suite_xml(const TestSuite& suite) {
  std::string xml = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n    <properties>\n",
      escaped(suite.name), suite.cases.size(), count(suite, Outcome::kFailed),
      count(suite, Outcome::kError), count(suite, Outcome::kSkipped), wall_s(suite));
  for (const auto& [name, value] : suite.properties) {
    xml +=
        fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value));
  }
  xml += "    </properties>\n";
  for (const TestCase& test : suite.cases) xml += case_xml(suite.class_name, test);
  return xml + "  </testsuite>\n";
}

std::string to_xml(const std::string& name, const std::vector<TestSuite>& suites) {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  double time_s = 0.0;
  std::string inner;
  for (const TestSuite& suite : suites) {
    tests += suite.cases.size();
    failures += count(suite, Outcome::kFailed);
    errors += count(suite, Outcome::kError);
    time_s += wall_s(suite);
    inner += suite_xml(suite);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n"
      "{}</testsuites>\n",
      escaped(name), tests, failures, errors, time_s, inner);
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

void write_junit(const std::string& path, const std::string& name,
                 const std::vector<TestSuite>& suites) {
  const std::string xml = to_xml(name, suites);
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) fail(path);
  const bool written = std::fwrite(xml.data(), 1, xml.size(), file) == xml.size();
  if (std::fclose(file) != 0 || !written) fail(path);
}

}  // namespace tactus::cli

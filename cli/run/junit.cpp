// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/print.h"

namespace tactus::cli {
namespace {

std::string to_xml(const std::string& suite, const std::vector<TestCase>& cases) {
  const auto failures = std::count_if(cases.begin(), cases.end(),
                                      [](const TestCase& test) { return !test.failure.empty(); });
  const auto errors = std::count_if(cases.begin(), cases.end(),
                                    [](const TestCase& test) { return !test.error.empty(); });
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
      xml_text(suite), cases.size(), failures, errors);
  for (const TestCase& test : cases) {
    xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(suite),
                       xml_text(test.name));
    if (!test.error.empty()) {
      xml +=
          fmt::format(">\n      <error message=\"{}\"/>\n    </testcase>\n", xml_text(test.error));
    } else if (!test.failure.empty()) {
      xml += fmt::format(">\n      <failure message=\"{}\"/>\n    </testcase>\n",
                         xml_text(test.failure));
    } else {
      xml += "/>\n";
    }
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace

std::unique_ptr<OutputFile> open_junit(const std::string& path) {
  return path.empty() ? nullptr : std::make_unique<OutputFile>(path, kJunitRules);
}

void write_junit(OutputFile& file, const std::string& suite, const std::vector<TestCase>& cases) {
  file.append(to_xml(suite, cases));
  file.require_written();
  file.publish();
}

}  // namespace tactus::cli

// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/report/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/printable.h"

namespace tactus {
namespace {

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
                                       xml_text(class_name), xml_text(test.name), test.wall_s);
  if (test.outcome == Outcome::kPassed) return head + "/>\n";
  return head + fmt::format(">\n      <{} type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
                            kElements[static_cast<std::size_t>(test.outcome)], xml_text(test.type),
                            xml_text(test.message));
}

std::string suite_xml(const TestSuite& suite) {
  std::string xml = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n    <properties>\n",
      xml_text(suite.name), suite.cases.size(), count(suite, Outcome::kFailed),
      count(suite, Outcome::kError), count(suite, Outcome::kSkipped), wall_s(suite));
  for (const auto& [name, value] : suite.properties) {
    xml += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", xml_text(name),
                       xml_text(value));
  }
  xml += "    </properties>\n";
  for (const TestCase& test : suite.cases) xml += case_xml(suite.class_name, test);
  return xml + "  </testsuite>\n";
}

}  // namespace

std::string junit_xml(const std::string& name, const std::vector<TestSuite>& suites) {
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
      xml_text(name), tests, failures, errors, time_s, inner);
}

}  // namespace tactus

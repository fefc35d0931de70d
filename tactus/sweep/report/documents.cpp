// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/report/documents.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tactus/core/json_text.h"
#include "tactus/core/text.h"
#include "tactus/flight/report/junit.h"

namespace tactus::sweep {
namespace {

constexpr char kStatisticsSchema[] = "tactus.sweep.stats/1";
constexpr char kSamplesSchema[] = "tactus.sweep.samples/1";
constexpr char kSearchSchema[] = "tactus.sweep.search/1";
constexpr char kHeadSchema[] = "tactus.sweep.campaign/1";

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json interval_document(const std::optional<Interval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json(nullptr);
}

Json correlations_document(const ResultsHead& head,
                           const std::vector<std::optional<RankCorrelation>>& correlations) {
  Json all = Json::object();
  for (std::size_t i = 0; i < correlations.size(); ++i) {
    const std::optional<RankCorrelation>& one = correlations[i];
    all[head.inputs[i].id] = one ? Json{{"coefficient", one->coefficient},
                                        {"probability", one->probability},
                                        {"interval", interval_document(one->interval)}}
                                 : Json(nullptr);
  }
  return all;
}

Json sobol_document(const std::vector<SobolIndex>& indices) {
  Json all = Json::array();
  for (const SobolIndex& one : indices) {
    all.push_back({{"value", one.value}, {"interval", {one.interval.low, one.interval.high}}});
  }
  return all;
}

Json column_document(const ResultsHead& head, const ColumnStatistics& one) {
  Json document{{"column", one.column.column},
                {"id", one.column.id},
                {"kind", one.column.about},
                {"count", one.count},
                {"missing", one.missing}};
  if (one.count > 0) {
    document["min"] = one.least;
    document["mean"] = one.mean;
    document["max"] = one.most;
    Json percentiles = Json::array();
    for (std::size_t i = 0; i < one.percentiles.size(); ++i) {
      const Percentile& p = one.percentiles[i];
      percentiles.push_back({{"percent", 100.0 * kReportedShares[i]},
                             {"value", p.value},
                             {"low", number(p.low)},
                             {"high", number(p.high)}});
    }
    document["percentiles"] = std::move(percentiles);
    document["histogram"] = {{"edges", one.histogram.edges}, {"counts", one.histogram.counts}};
  }
  document["rank_correlations"] = correlations_document(head, one.correlations);
  if (one.sobol) {
    document["sobol_first"] = sobol_document(one.sobol->first);
    document["sobol_total"] = sobol_document(one.sobol->total);
  }
  return document;
}

Json outcomes_document(const std::array<std::uint64_t, kOutcomes>& outcomes) {
  Json document = Json::object();
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    document[to_text(static_cast<Outcome>(i))] = outcomes[i];
  }
  return document;
}

Json values_document(const std::vector<ResultColumn>& columns,
                     const std::vector<std::optional<double>>& values) {
  Json document = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) document[columns[i].id] = number(values[i]);
  return document;
}

Json sample_document(const ResultsHead& head, const SampleResult& sample) {
  Json inputs = Json::object();
  for (std::size_t i = 0; i < head.inputs.size(); ++i) {
    const AppliedValue& value = sample.applied[i];
    inputs[head.inputs[i].id] = value.number ? Json(*value.number) : Json(value.text);
  }
  Json document{{"sample", sample.index},
                {"seed", sample.seed},
                {"outcome", to_text(sample.outcome)},
                {"reason", sample.reason},
                {"end_s", to_seconds(sample.end - TimeUs{})}};
  document["flight_digest"] = sample.got_to_an_end() ? Json(to_hex(sample.digest)) : Json(nullptr);
  document["inputs"] = std::move(inputs);
  document["margins"] = values_document(head.expectations, sample.margins);
  document["measures"] = values_document(head.measures, sample.measures);
  return document;
}

std::string csv_number(const std::optional<double>& value) {
  return value ? format_double(*value) : std::string();
}

}  // namespace

std::string statistics_json(ResultsFile& results, const CampaignStatistics& statistics) {
  const ResultsHead& head = results.head();
  Json columns = Json::array();
  for (const ColumnStatistics& one : statistics.columns) {
    columns.push_back(column_document(head, one));
  }
  Json kinds = Json::array();
  for (const FailureKind& kind : statistics.kinds) {
    kinds.push_back({{"failure", kind.failure},
                     {"outcome", to_text(kind.outcome)},
                     {"count", kind.count},
                     {"first_sample", kind.first}});
  }
  const FailureRate& failures = statistics.failures;
  const Json document{
      {"schema", kStatisticsSchema},
      {"tactus_version", head.version},
      {"name", head.name},
      {"campaign_digest", to_hex(head.campaign)},
      {"content_digest", to_hex(results.content_digest())},
      {"samples", statistics.samples},
      {"flown", statistics.flown},
      {"outcomes", outcomes_document(statistics.outcomes)},
      {"failure_rate",
       {{"rate", number(failures.rate)},
        {"interval", interval_document(failures.interval)},
        {"method", failures.method},
        {"failed", failures.counts.failed},
        {"passed", failures.counts.passed},
        {"unknown", failures.counts.unknown}}},
      {"failure_correlations", correlations_document(head, statistics.failure_correlations)},
      {"columns", std::move(columns)},
      {"failures", std::move(kinds)},
      {"notes", statistics.notes}};
  return json_text(document);
}

std::string statistics_csv(const CampaignStatistics& statistics) {
  std::string text = "column,count,missing,min,p05,p50,p95,max,mean\n";
  for (const ColumnStatistics& one : statistics.columns) {
    text += fmt::format("{},{},{}", csv_quoted(one.column.column), one.count, one.missing);
    if (one.count == 0) {
      text += ",,,,,,\n";
      continue;
    }
    text += "," + format_double(one.least);
    for (const Percentile& p : one.percentiles) text += "," + format_double(p.value);
    text += fmt::format(",{},{}\n", format_double(one.most), format_double(one.mean));
  }
  return text;
}

std::string statistics_junit(ResultsFile& results, const std::string& title) {
  using Kind = TestCase::Outcome;
  TestSuite suite;
  suite.name = title;
  suite.class_name = results.head().name;
  suite.properties = {{"campaign_digest", to_hex(results.head().campaign)},
                      {"content_digest", to_hex(results.content_digest())}};
  results.for_each([&suite](const SampleResult& result) {
    TestCase one;
    one.name = fmt::format("sample {}", result.index);
    if (result.outcome != Outcome::kPassed) {
      const bool judged = result.got_to_an_end();
      one.outcome = judged ? Kind::kFailed : Kind::kError;
      one.type = to_text(result.outcome);
      one.message = result.reason;
    }
    suite.cases.push_back(std::move(one));
  });
  return junit_xml(title, {suite});
}

std::string samples_json(const ResultsHead& head, std::span<const SampleResult> samples) {
  Json all = Json::array();
  for (const SampleResult& sample : samples) all.push_back(sample_document(head, sample));
  return json_text(Json{{"schema", kSamplesSchema}, {"name", head.name}, {"samples", all}});
}

std::string samples_csv_head(const ResultsHead& head) {
  std::string line = "sample,seed,outcome,end_s,flight_digest";
  for (const auto* columns : {&head.inputs, &head.expectations, &head.measures}) {
    for (const ResultColumn& one : *columns) line += "," + csv_quoted(one.column);
  }
  return line + ",reason";
}

std::string sample_csv(const SampleResult& sample) {
  std::string line =
      fmt::format("{},{},{},{},{}", sample.index, sample.seed, to_text(sample.outcome),
                  format_double(to_seconds(sample.end - TimeUs{})),
                  sample.got_to_an_end() ? to_hex(sample.digest) : "");
  for (const AppliedValue& value : sample.applied) {
    line += "," + (value.number ? format_double(*value.number) : csv_quoted(value.text));
  }
  for (const auto& margin : sample.margins) line += "," + csv_number(margin);
  for (const auto& measure : sample.measures) line += "," + csv_number(measure);
  return line + "," + csv_quoted(sample.reason);
}

std::string search_json(ResultsFile& results, const SearchEnd& end) {
  const auto point = [&results](const std::optional<SearchPoint>& one) -> Json {
    if (!one) return nullptr;
    Json document{{"margin", one->margin}, {"distance", one->distance}};
    if (const std::optional<SampleResult> sample = results.sample(one->evaluation)) {
      document["sample"] = sample_document(results.head(), *sample);
    }
    return document;
  };
  return json_text(Json{{"schema", kSearchSchema},
                        {"name", results.head().name},
                        {"goal", results.head().search},
                        {"flights", end.flights},
                        {"interrupted", end.interrupted},
                        {"first_failure", point(end.first_failure)},
                        {"smallest_failure", point(end.smallest_failure)},
                        {"worst", point(end.worst)},
                        {"content_digest", to_hex(results.content_digest())}});
}

std::string head_json(ResultsFile& results) {
  const ResultsHead& head = results.head();
  Json inputs = Json::array();
  for (const ResultColumn& one : head.inputs) {
    inputs.push_back({{"key", one.id}, {"unit", one.about}});
  }
  const Json document{{"schema", kHeadSchema},
                      {"tactus_version", head.version},
                      {"commit", head.build.commit},
                      {"compiler", head.build.compiler},
                      {"name", head.name},
                      {"file", head.file},
                      {"campaign_digest", to_hex(head.campaign)},
                      {"spec_digest", to_hex(head.spec)},
                      {"content_digest", to_hex(results.content_digest())},
                      {"samples", head.samples},
                      {"shard", head.shard.shard + 1},
                      {"shards", head.shard.shards},
                      {"flown", results.count()},
                      {"inputs", std::move(inputs)},
                      {"notes", results.notes()},
                      {"campaign", head.campaign_text},
                      {"spec", head.resolved_spec}};
  return json_text(document);
}

}  // namespace tactus::sweep

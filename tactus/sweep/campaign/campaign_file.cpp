// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/campaign/campaign_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/spec/schema/spec_files.h"
#include "tactus/spec/toml/table_reader.h"
#include "tactus/sweep/campaign/csv_table.h"

namespace tactus::sweep {
namespace {

constexpr std::size_t kMostEntries = 1000;
constexpr std::int64_t kMostInteger = std::numeric_limits<std::int64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_number(const TomlNode& node) {
  return node.kind == TomlNode::Kind::kReal || node.kind == TomlNode::Kind::kInteger;
}

double number_of(const TomlNode& node, const std::string& key) {
  if (!is_number(node)) refuse_value(node, key, "must be a number");
  return node.kind == TomlNode::Kind::kReal ? node.real : static_cast<double>(node.integer);
}

/// Runs a check of values that belong to an entry and gives its errors the place of the entry.
template <class Check>
auto placed(const TomlPosition& at, Check&& check) {
  try {
    return check();
  } catch (const PlacedError&) {
    throw;
  } catch (const Error& error) {
    if (error.subject()) throw PlacedError(error.code(), at, *error.subject());
    throw PlacedError(error.code(), at, "", error.what());
  }
}

std::uint64_t whole(TableReader& table, const char* key, std::uint64_t otherwise,
                    std::int64_t lowest) {
  return static_cast<std::uint64_t>(
      table.integer(key, static_cast<std::int64_t>(otherwise), lowest, kMostInteger));
}

double required_number(TableReader& table, const char* key) {
  return number_of(table.require(key, "a number"), table.full(key));
}

void read_values(TableReader& table, Vary& vary) {
  const TomlNode& values = table.require("values", "a list of values");
  if (!values.is_array() || values.children.empty()) {
    refuse_value(values, table.full("values"), "must be a list of at least one value");
  }
  const bool numbers = std::all_of(values.children.begin(), values.children.end(), is_number);
  for (std::size_t i = 0; i < values.children.size(); ++i) {
    const TomlNode& value = values.children[i];
    vary.distribution.values.push_back(numbers ? number_of(value, table.full("values"))
                                               : static_cast<double>(i));
    if (!numbers) vary.words.push_back(value);
  }
  if (numbers || !vary.relative) return;
  refuse_value(values, table.full("values"), "are no numbers, so they cannot be relative");
}

void read_weights(TableReader& table, Distribution& distribution) {
  const TomlNode* const weights = table.find("weights");
  distribution.weights.assign(distribution.values.size(), 1.0);
  if (weights == nullptr) return;
  if (!weights->is_array() || weights->children.size() != distribution.values.size()) {
    refuse_value(
        *weights, table.full("weights"),
        fmt::format("must be a list of {} numbers, one per value", distribution.values.size()));
  }
  for (std::size_t i = 0; i < weights->children.size(); ++i) {
    distribution.weights[i] = number_of(weights->children[i], table.full("weights"));
  }
}

void read_distribution(TableReader& table, Vary& vary) {
  static constexpr const char* kNames[] = {
      "uniform", "normal", "truncated_normal", "log_normal", "triangular", "choice", "list"};
  Distribution& d = vary.distribution;
  (void)table.require("distribution", "how it is distributed: uniform, normal, …");
  d.kind = static_cast<DistributionKind>(table.one_of("distribution", kNames));
  const auto read_mean = [&] {
    d.mean = required_number(table, "mean");
    d.standard_deviation = required_number(table, "standard_deviation");
  };
  switch (d.kind) {
    case DistributionKind::kUniform:
      d.low = required_number(table, "low");
      d.high = required_number(table, "high");
      break;
    case DistributionKind::kNormal: read_mean(); break;
    case DistributionKind::kTruncatedNormal:
      read_mean();
      d.low = table.number("low", -kInfinity);
      d.high = table.number("high", kInfinity);
      break;
    case DistributionKind::kLogNormal:
      d.median = required_number(table, "median");
      d.log_standard_deviation = required_number(table, "log_standard_deviation");
      break;
    case DistributionKind::kTriangular:
      d.low = required_number(table, "low");
      d.mode = required_number(table, "mode");
      d.high = required_number(table, "high");
      break;
    case DistributionKind::kChoice:
      read_values(table, vary);
      read_weights(table, d);
      break;
    case DistributionKind::kList: read_values(table, vary); break;
  }
}

std::vector<double> numbers_of(const TomlNode& list, const std::string& key) {
  if (!list.is_array()) refuse_value(list, key, "must be a list of numbers");
  std::vector<double> numbers;
  for (const TomlNode& child : list.children) numbers.push_back(number_of(child, key));
  return numbers;
}

/// Keys that vary together: normal, with a covariance.
void read_correlated(TableReader& table, Vary& vary) {
  const TomlNode& mean = table.require("mean", "one number per key");
  const TomlNode& covariance = table.require("covariance", "one row of numbers per key");
  std::vector<double> means = numbers_of(mean, table.full("mean"));
  if (!covariance.is_array()) refuse_value(covariance, table.full("covariance"), "must be rows");
  std::vector<std::vector<double>> rows;
  for (const TomlNode& row : covariance.children) {
    rows.push_back(numbers_of(row, table.full("covariance")));
  }
  if (means.size() != vary.keys.size()) {
    refuse_value(mean, table.full("mean"), fmt::format("must be {} numbers", vary.keys.size()));
  }
  placed(covariance.at, [&] { vary.correlated.emplace("vary", std::move(means), rows); });
}

void read_keys(TableReader& table, Vary& vary) {
  for (const TomlNode* one : table.list("keys", kMostEntries, "keys")) {
    vary.keys.push_back({table.text("keys", *one), one->at});
  }
}

class CampaignReader {
 public:
  CampaignReader(const Files& files, const TomlNode& root,
                 const std::vector<AttachedFile>& attached)
      : files_(&files), root_(&root), attached_(&attached) {}

  CampaignFile read() {
    file_.design_at = root_->at;
    if (const TomlNode* const node = root_->find("campaign")) read_campaign(*node);
    if (const TomlNode* const node = root_->find("design")) read_design(*node);
    file_.design.seed = file_.seed;
    for (const TomlNode* node : entries("vary")) read_vary(*node);
    for (const TomlNode* node : entries("measure")) read_measure(*node);
    require_distinct();
    return std::move(file_);
  }

 private:
  [[nodiscard]] std::vector<const TomlNode*> entries(const char* key) const {
    std::vector<const TomlNode*> all;
    const TomlNode* const list = root_->find(key);
    if (list == nullptr) return all;
    if (!list->is_array_of_tables() || list->children.size() > kMostEntries) {
      refuse_value(*list, key,
                   fmt::format("must be tables, [[{}]], at most {}", key, kMostEntries));
    }
    for (const TomlNode& entry : list->children) all.push_back(&entry);
    return all;
  }

  void read_campaign(const TomlNode& node) {
    static constexpr const char* kFlightSeeds[] = {"varies", "stays"};
    TableReader table(node, "campaign");
    file_.seed = whole(table, "seed", 1, 0);
    file_.flight_seed_varies = table.one_of("flight_seed", kFlightSeeds) == 0;
    constexpr std::int64_t kMostRetries = 100;
    file_.retries = static_cast<int>(table.integer("retries", 1, 0, kMostRetries));
    table.close();
  }

  void read_design(const TomlNode& node) {
    static constexpr const char* kKinds[] = {"monte_carlo", "latin_hypercube", "sobol",
                                             "grid",        "corners",         "one_at_a_time"};
    TableReader table(node, "design");
    file_.design_at = node.at;
    file_.design.kind = static_cast<DesignKind>(table.one_of("kind", kKinds));
    file_.samples = whole(table, "samples", 0, 1);
    file_.design.replicates = whole(table, "replicates", 1, 1);
    file_.design.saltelli = table.boolean("saltelli", false);
    table.close();
  }

  void read_vary(const TomlNode& node) {
    TableReader table(node, "vary");
    Vary vary;
    vary.at = node.at;
    vary.relative = table.boolean("relative", false);
    const TomlNode* const key = table.find("key");
    const TomlNode* const csv = table.find("csv");
    read_keys(table, vary);
    if ((key != nullptr) == !vary.keys.empty()) {
      table.refuse(node.at, "key", "give key, or keys that vary together");
    }
    if (key != nullptr) vary.keys = {{table.text("key", *key), key->at}};
    if (csv != nullptr) {
      read_table(table, *csv, vary);
    } else if (vary.keys.size() > 1 || table.find("covariance") != nullptr) {
      read_correlated(table, vary);
    } else {
      read_distribution(table, vary);
      vary.levels = static_cast<std::size_t>(whole(table, "levels", 0, 1));
    }
    table.close();
    if (!vary.correlated) placed(vary.at, [&] { vary.distribution.validate("vary"); });
    file_.varied.push_back(std::move(vary));
  }

  /// The distribution is that of the number of a row.
  void read_table(TableReader& table, const TomlNode& name, Vary& vary) {
    const AttachedFile file = attached_or_read(table.text("csv", name), name);
    std::vector<std::string> columns;
    for (const TomlNode* one : table.list("columns", kMostEntries, "columns")) {
      columns.push_back(table.text("columns", *one));
    }
    if (columns.empty()) {
      for (const VariedKey& key : vary.keys) columns.push_back(key.name);
    }
    if (columns.size() != vary.keys.size()) {
      refuse_value(name, "vary.csv",
                   fmt::format("{} keys and {} columns; give one column per key", vary.keys.size(),
                               columns.size()));
    }
    vary.rows = placed(name.at, [&] { return csv_rows(file.content, file.name, columns); });
    vary.distribution.kind = DistributionKind::kList;
    for (std::size_t i = 0; i < vary.rows.size(); ++i) {
      vary.distribution.values.push_back(static_cast<double>(i));
    }
    file_.tables.push_back(file);
  }

  [[nodiscard]] AttachedFile attached_or_read(const std::string& name, const TomlNode& at) const {
    for (const AttachedFile& file : *attached_) {
      if (file.name == name) return file;
    }
    const std::string path = find_named(*files_, at, {});
    return placed(at.at, [&] { return AttachedFile{name, files_->read(path)}; });
  }

  void read_measure(const TomlNode& node) {
    static constexpr const char* kDirections[] = {"rising", "falling"};
    TableReader table(node, "measure");
    Measure measure;
    measure.at = node.at;
    measure.id = table.text("id", table.require("id", "a name"));
    measure.signal = table.text("signal", table.require("signal", "the name of a signal"));
    (void)table.require("kind", "one of min, max, mean, …");
    measure.kind = static_cast<MeasureKind>(table.one_of("kind", kMeasureNames));
    measure.from = TimeUs(table.seconds("from_s", {}).us);
    if (const TomlNode* const to = table.find("to_s")) {
      measure.to = TimeUs(table.seconds("to_s", {}).us);
      if (*measure.to <= measure.from) {
        refuse_value(*to, "measure.to_s", "must be later than from_s");
      }
    }
    if (measure.kind == MeasureKind::kCrossingTime) {
      measure.level = required_number(table, "level");
      measure.falls = table.one_of("direction", kDirections) == 1;
    }
    if (measure.kind == MeasureKind::kPercentile) {
      const TomlNode& percent = table.require("percent", "a number between 0 and 100");
      measure.percent = number_of(percent, "measure.percent");
      if (!(measure.percent >= 0.0 && measure.percent <= 100.0)) {
        refuse_value(percent, "measure.percent", "must lie between 0 and 100");
      }
    }
    table.close();
    file_.measures.push_back(std::move(measure));
  }

  /// Names become columns of a table, which does not tell capitals from small letters.
  void require_distinct() const {
    std::vector<std::string> seen;
    const auto require = [&seen](const char* what, std::string name, const TomlPosition& at) {
      const std::string shown = name;
      std::transform(name.begin(), name.end(), name.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
      name = what + ("." + name);
      if (std::find(seen.begin(), seen.end(), name) == seen.end()) return seen.push_back(name);
      throw PlacedError(ExitCode::kBadInput, at, what,
                        fmt::format("{}: there are two \"{}\"", what, shown));
    };
    std::vector<std::string> keys;
    for (const Vary& vary : file_.varied) {
      for (const VariedKey& key : vary.keys) {
        require("vary", key.name, key.at);
        require_apart(keys, key);
        keys.push_back(key.name);
      }
    }
    for (const Measure& measure : file_.measures) require("measure", measure.id, measure.at);
  }

  /// An element has one name, and does not vary beside its whole.
  static void require_apart(const std::vector<std::string>& others, const VariedKey& key) {
    const auto is_part = [](const std::string& part, const std::string& whole) {
      return part.starts_with(whole + "[");
    };
    for (const std::string& other : others) {
      if (!is_part(other, key.name) && !is_part(key.name, other)) continue;
      throw PlacedError(
          ExitCode::kBadInput, key.at, "vary",
          fmt::format("vary: \"{}\" and \"{}\" are the same numbers", other, key.name));
    }
    for (std::size_t at = key.name.find('['); at != std::string::npos;
         at = key.name.find('[', at + 1)) {
      const bool zero_first =
          key.name.size() > at + 2 && key.name[at + 1] == '0' && key.name[at + 2] != ']';
      if (!zero_first) continue;
      throw PlacedError(ExitCode::kBadInput, key.at, "vary",
                        fmt::format("vary: \"{}\": a position has no zeros before it", key.name));
    }
  }

  const Files* files_;
  const TomlNode* root_;
  const std::vector<AttachedFile>* attached_;
  CampaignFile file_;
};

}  // namespace

CampaignFile read_campaign_file(const Files& files, std::string_view text, const std::string& file,
                                const std::vector<AttachedFile>& attached) {
  const TomlNode root = parse_toml(text, file);
  return CampaignReader(files, root, attached).read();
}

}  // namespace tactus::sweep

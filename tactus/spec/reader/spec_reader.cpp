// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/model/spec_digest.h"
#include "tactus/spec/reader/spec_events.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tactus/spec/reader/spec_show.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tactus/spec/schema/spec_files.h"
#include "tactus/spec/schema/spec_places.h"
#include "tactus/spec/schema/table_builder.h"

namespace tactus {
namespace {

/// The axes of a spec begin at the centre of mass, those of a file where it says.
void move_instruments(Vec3 center_B_m, SensorsSpec& sensors) {
  if (center_B_m == Vec3{}) return;
  for_each_kind(sensors, [&](CountOf /*kind*/, auto& instruments) {
    if constexpr (requires { instruments.parameters.position_B_m; }) {
      Vec3& position_B_m = instruments.parameters.position_B_m;
      position_B_m = position_B_m - center_B_m;
    }
  });
}

/// Turns a merged tree into a spec, in the order in which a reader would look for mistakes.
class SpecReader {
 public:
  SpecReader(const Files& files, const TomlNode& root)
      : files_(&files),
        root_(root),
        draft_(SpecDraft::sized_for(root_)),
        schema_(make_schema(draft_, root_)),
        places_(root_, schema_) {}
  SpecReader(const SpecReader&) = delete;  // the schema points into it
  SpecReader& operator=(const SpecReader&) = delete;

  [[nodiscard]] const SpecPlaces& places() const { return places_; }

  LoadedSpec load(const ReadSpecOptions& options) {
    options_ = options;
    read_table(root_, "", schema_);
    if (draft_.spec.name.find_first_of("\n\r") != std::string::npos) {
      places_.refuse("name", "must be one line");
    }
    require_complete(schema_, "");
    require_vehicle_tables();
    draft_.vehicles[draft_.vehicle]->finish(schema_, places_, draft_.spec);
    resolve_alternatives();
    connect_wind();
    require_timeline();
    check_parameters();
    std::vector<AttachedFile> files;
    read_mission(files);
    read_ardupilot_files(files);
    const std::vector<BusLeaf> leaves = bus_leaves(vehicle_counts(draft_.spec));
    draft_.spec.events = read_events(draft_, root_, places_, leaves);
    draft_.spec.expectations = read_expectations(draft_, root_, places_, leaves);
    // A copy: the keys stay as they were written.
    Spec spec = draft_.spec;
    move_instruments(draft_.vehicles[draft_.vehicle]->center_of_mass_m(), spec.sensors);
    spec.digest = spec_digest(spec);
    if (!options_.with_texts) return {std::move(spec), {}, {}, {}, {}, {}};
    return {std::move(spec),
            make_provenance(root_, schema_, type()),
            resolved_text(root_, schema_, type()),
            files,
            {},
            inputs_};
  }

 private:
  [[nodiscard]] const VehicleType& type() const { return *vehicle_types()[draft_.vehicle]; }

  void require_keys(const SchemaTable& table, const std::string& path) const {
    for (const SchemaKey& key : table.keys) {
      const std::string name = join_key(path, key.name);
      if (key.required && !places_.given(name)) {
        places_.refuse_missing(name, fmt::format("it must be given: {}", type_text(key.slot)));
      }
    }
  }

  void require_complete(const SchemaTable& table, const std::string& path) const {
    require_keys(table, path);
    for (const SchemaTable& inner : table.tables) {
      require_complete(inner, join_key(path, inner.name));
    }
    for (const SchemaList& list : table.lists) {
      const std::string name = join_key(path, list.name);
      if (is_for(list.only_for, type()) &&
          list.entries.size() < static_cast<std::size_t>(list.lowest)) {
        places_.refuse_missing(
            name, fmt::format("a {} needs at least {} [[{}]]", type().name(), list.lowest, name));
      }
      for (const SchemaTable& entry : list.entries) {
        require_complete(entry, join_key(name, entry.name));
      }
    }
  }

  /// What belongs to another vehicle would be silently unused.
  void require_vehicle_tables() const {
    const auto require = [this](const std::string& name, const VehicleType* only_for) {
      const TomlNode* node = root_.find(name);
      if (node == nullptr || is_for(only_for, type())) return;
      throw PlacedError(ExitCode::kBadInput, node->at,
                        ErrorSubject{.key = name,
                                     .note = {},
                                     .value = {},
                                     .reason = fmt::format("is not used by vehicle.kind = \"{}\"",
                                                           type().name())});
    };
    for (const SchemaTable& table : schema_.tables) require(table.name, table.only_for);
    for (const SchemaList& list : schema_.lists) require(list.name, list.only_for);
  }

  void resolve_alternatives() {
    Spec& spec = draft_.spec;
    if (places_.given("initial.euler_deg")) {
      const Vec3 rad = math::kDegToRad * draft_.euler_deg;
      spec.initial.attitude = from_euler({rad.x, rad.y, rad.z});
    }
    const double length = norm(spec.initial.attitude);
    if (!(math::abs(length - 1.0) < 1e-6)) {
      places_.refuse("initial.attitude_wxyz",
                     fmt::format("has length {}, must be a unit quaternion", length));
    }
    if (spec.initial.rotor_speed_rad_s < 0.0) {
      places_.refuse("initial.rotor_speed_rad_s", "must not be negative");
    }
  }

  void connect_wind() {
    WindParameters& wind = draft_.spec.world.wind;
    wind.gust_count = static_cast<std::int32_t>(draft_.gusts.size());
    draft_.spec.gust_ids = ids_of(schema_.table("wind")->lists.front());
    for (std::size_t i = 0; i < draft_.gusts.size(); ++i) {
      const GustDraft& g = draft_.gusts[i];
      if (g.duration.us == 0) {
        places_.refuse("wind.gust." + draft_.spec.gust_ids[i] + ".duration_s",
                       "must be greater than zero");
      }
      wind.gusts[i] = {g.shape, g.velocity_W_m_s, g.at, g.at + g.duration};
    }
  }

  void require_timeline() const {
    const TimelineSpec& t = draft_.spec.timeline;
    if (t.end.us == 0) places_.refuse("time.end_s", "must be greater than zero");
    if (t.autopilot.us == 0 && draft_.spec.autopilot != AutopilotKind::kNone) {
      places_.refuse("time.autopilot_s", "must be greater than zero: there is an autopilot");
    }
    if (t.sensors.us == 0 && draft_.spec.autopilot != AutopilotKind::kNone) {
      places_.refuse("time.sensors_s", "must be greater than zero: there is an autopilot");
    }
    const SensorsSpec& sensors = draft_.spec.sensors;
    if (instrument_counts(sensors).imus > 0 && sensors.imu.period.us == 0 && t.autopilot.us == 0) {
      places_.refuse("sensors.imu.period_s", "must be given: there is no autopilot to follow");
    }
  }

  /// The longest interval between two boundaries of the acting axes.
  [[nodiscard]] DurationUs longest_interval() const {
    const TimelineSpec& t = draft_.spec.timeline;
    DurationUs longest = t.end;
    for (const DurationUs period : {t.autopilot, t.wind, t.sensors, t.physics}) {
      if (period.us != 0) longest = std::min(longest, period);
    }
    for_each_kind(draft_.spec.sensors, [&](CountOf kind, const auto& /*sensors*/) {
      const DurationUs period = sensor_period(draft_.spec.sensors, kind, t.autopilot);
      if (period.us != 0) longest = std::min(longest, period);
    });
    return longest;
  }

  void check_parameters() const {
    const Spec& spec = draft_.spec;
    places_.check([&] {
      validate(spec.solver, "solver");
      (void)make_world(spec.world);
      validate(spec.estimator, "estimator");
      if (spec.timeline.sensors.us != 0) {
        validate_delay(spec.estimator, spec.timeline.sensors, "estimator");
      }
      validate(spec.land_detector, "land_detector");
      validate(spec.sensors, "sensors");
      validate(spec.builtin, "autopilot");
      type().check(spec, longest_interval());
    });
  }

  /// An attached file goes by the very name that the spec gives; any other is read, and its
  /// name may be one that no spec can hold.
  [[nodiscard]] AttachedFile take_file(const std::string& key, const TomlNode& given,
                                       const std::string& path) {
    const std::span<const AttachedFile> attached = options_.attached;
    const auto it = std::find_if(attached.begin(), attached.end(),
                                 [&](const AttachedFile& file) { return file.name == given.text; });
    if (it != attached.end()) return *it;
    inputs_.push_back({key, path});
    return {valid_utf8(path), files_->read(path)};
  }

  /// Reads the file that `given` names and hands it to `parse`.
  template <class Parse>
  AttachedFile read_file(const std::string& key, const TomlNode& given, const std::string& path,
                         std::initializer_list<const char*> shipped_in, Parse parse) {
    try {
      AttachedFile file = take_file(key, given, path);
      parse(file);
      return file;
    } catch (const Error& error) {
      const bool missing = error.code() == ExitCode::kEnvironment && files_->is_missing(path);
      throw PlacedError(error.code(), given.at,
                        ErrorSubject{.key = key,
                                     .note = {},
                                     .value = shortened(to_toml(given)),
                                     .reason = missing ? no_such_file(*files_, given, shipped_in)
                                                       : error.what()});
    }
  }

  [[nodiscard]] const KnownMission* known_mission(const std::string& name) const {
    if (options_.missions == nullptr) return nullptr;
    const auto it = options_.missions->find(name);
    return it == options_.missions->end() ? nullptr : &it->second;
  }

  void read_mission(std::vector<AttachedFile>& files) {
    Spec& spec = draft_.spec;
    if (spec.mission_path.empty()) return;
    const std::string key = "autopilot.mission";
    const TomlNode& given = *places_.find(key);
    if (const KnownMission* const known = known_mission(given.text)) {
      spec.mission = shifted(known->mission, spec.mission_shift_W_m, spec.world.origin);
      spec.mission_path = known->file.name;
      files.push_back(known->file);
      return;
    }
    const std::string path = files_->absolute(find_named(*files_, given, {"missions"}));
    files.push_back(read_file(key, given, path, {"missions"}, [&](const AttachedFile& file) {
      spec.mission = shifted(parse_mission(file.content, file.name), spec.mission_shift_W_m,
                             spec.world.origin);
    }));
    spec.mission_path = files.back().name;
  }

  /// Only for a flight with ArduPilot: otherwise they are not used.
  void read_ardupilot_files(std::vector<AttachedFile>& files) {
    ExternalSpec& external = draft_.spec.external;
    if (draft_.spec.autopilot != AutopilotKind::kArdupilot) return;
    const std::string key = "autopilot.ardupilot.defaults";
    std::vector<std::string> names;
    for (const std::string_view name : split_list(external.ardupilot_defaults)) {
      if (name.starts_with('@')) {
        external.ardupilot_built_in.emplace_back(name);
        names.emplace_back(name);
        continue;
      }
      TomlNode given = *places_.find(key);
      given.text = name;
      files.push_back(read_file(key, given, files_->absolute(find_named(*files_, given, {})), {},
                                [&](const AttachedFile& file) {
                                  read_settings(file.content, file.name, external.ardupilot_given);
                                }));
      names.push_back(files.back().name);
    }
    external.ardupilot_defaults = fmt::format("{}", fmt::join(names, ","));
  }

  const Files* files_;  ///< while it loads
  TomlNode root_;
  ReadSpecOptions options_;
  std::vector<SpecInput> inputs_;
  SpecDraft draft_;
  SchemaTable schema_;
  SpecPlaces places_;
};

}  // namespace

LoadedSpec read_spec(const Files& files, const TomlNode& root, const ReadSpecOptions& options) {
  const auto reader = std::make_shared<SpecReader>(files, root);
  LoadedSpec loaded = reader->load(options);
  loaded.places = std::shared_ptr<const SpecPlaces>(reader, &reader->places());
  return loaded;
}

}  // namespace tactus

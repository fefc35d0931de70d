// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The digest of a spec takes every member, by the field lists, but those that say why not.

#include "tactus/spec/model/spec_digest.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/spec/reader/load_spec.h"
#include "tests/spec/spec_samples.h"

namespace tactus {
namespace {

/// Everything has elements, and every condition of a mark holds.
Spec full_spec() {
  Spec spec = load_spec_text(testing::kRichSpec, "t.toml").spec;
  spec.gust_ids = {"a"};
  spec.external.ardupilot_built_in = {"@ROMFS/copter.parm"};
  spec.external.ardupilot_given = {{"WPNAV_SPEED", 3.0}};
  spec.ground_station.enabled = true;
  spec.ground_station.system_id = 7;
  spec.mission.items.resize(2);
  spec.sensors.optical_flow.count = 1;
  spec.external.attach = true;
  for (Event& event : spec.events) event.action.kind = ActionKind::kMotorNoise;
  return spec;
}

template <class T>
void change(T& leaf) {
  if constexpr (TextValue<T>) {
    leaf += "x";
  } else if constexpr (std::is_same_v<T, bool>) {
    leaf = !leaf;
  } else if constexpr (std::is_enum_v<T>) {
    leaf = static_cast<T>(static_cast<std::underlying_type_t<T>>(leaf) + 1);
  } else if constexpr (std::is_floating_point_v<T>) {
    leaf = math::is_finite(static_cast<double>(leaf)) ? leaf + 1 : 0;
  } else {
    ++leaf;
  }
}

/// Where the leaves lie that no mark keeps out of digests.
struct DigestedLeaves {
  std::set<const void*> at;

  template <class T>
  void operator()(const T& leaf) {
    at.insert(&leaf);
  }
  template <class Mark>
  [[nodiscard]] bool takes(const Mark& mark) const {
    if constexpr (requires { mark.in_digest(); }) return mark.in_digest();
    return true;
  }
};

TEST(SpecDigest, ChangesWithEveryMemberThatIsNotLeftOut) {
  Spec spec = full_spec();
  DigestedLeaves digested;
  for_each_value(spec, digested);
  const Digest128 before = spec_digest(spec);
  std::size_t leaves = 0;
  for_each_leaf(spec, [&](const LeafPath& path, auto& leaf) {
    using Leaf = std::remove_reference_t<decltype(leaf)>;
    ++leaves;
    if constexpr (!std::is_const_v<Leaf>) {  // the names in a map
      const Leaf kept = leaf;
      change(leaf);
      const bool changes = spec_digest(spec) != before;
      // Some leaves decide whether another one counts, so their own mark is asked before.
      EXPECT_EQ(changes, digested.at.contains(&leaf)) << path.text();
      leaf = kept;
    }
  });
  EXPECT_EQ(spec_digest(spec), before);
  EXPECT_GT(leaves, 1000U);
}

TEST(SpecDigest, ChangesWithTheNumberOfElements) {
  const Spec spec = full_spec();
  const Digest128 before = spec_digest(spec);
  const auto digest_with = [&spec](auto add) {
    Spec changed = spec;
    add(changed);
    return spec_digest(changed);
  };
  EXPECT_NE(digest_with([](Spec& s) { s.parts.rotors.emplace_back(); }), before);
  EXPECT_NE(digest_with([](Spec& s) { s.parts.packs.emplace_back(); }), before);
  EXPECT_NE(digest_with([](Spec& s) { s.parts.buses.emplace_back(); }), before);
  EXPECT_NE(digest_with([](Spec& s) { s.mission.items.emplace_back(); }), before);
  EXPECT_NE(digest_with([](Spec& s) { s.events.emplace_back(); }), before);
  EXPECT_NE(digest_with([](Spec& s) { s.expectations.emplace_back(); }), before);
  EXPECT_NE(digest_with([](Spec& s) { s.external.ardupilot_given["X"] = 1.0; }), before);
  // An id that moves from one list to the next is another spec.
  Spec moved = spec;
  moved.parts.buses.insert(moved.parts.buses.begin(), moved.parts.packs.back());
  moved.parts.packs.pop_back();
  EXPECT_NE(spec_digest(moved), before);
}

/// Collects the names of fields that are left out.
struct LeftOutNames {
  std::vector<std::string>* names;
  std::string path = {};

  template <class T>
  void operator()(const char* name, const char* /*unit*/, T&& member, const char* = "") const {
    using Member = std::remove_cvref_t<decltype(unmarked(member))>;
    const std::string full = path.empty() ? name : path + "." + name;
    if constexpr (MarkedField<T>) {
      EXPECT_NE(std::string(member.why), "") << full;
    }
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, LeftOut<Member>>) {
      names->push_back(full);
    } else if constexpr (HasFields<Member>) {
      Member::visit_fields(unmarked(member), LeftOutNames{names, full});
    }
  }
};

/// A further member that is left out is to be added here, too.
TEST(SpecDigest, LeavesOutNamesPathsAndPlacesOnly) {
  std::vector<std::string> names;
  Spec spec;
  Spec::visit_fields(spec, LeftOutNames{&names});
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "name", "description", "gust_ids", "external.px4_library.library",
                "external.px4_library.messages", "external.px4_binary", "external.px4_romfs",
                "external.ardupilot_binary", "external.ardupilot_defaults", "external.folder",
                "ground_station.host", "ground_station.port", "ground_station.own_port",
                "mission_path", "mission_shift_ned_m", "mission.name", "digest"}));
}

// Recordings carry the digest of their spec, and are refused if it has become another one.
TEST(SpecDigest, OfShippedSpecsStaysWhatItWas) {
  const auto digest_of = [](const char* name) {
    return to_hex(load_spec(find_spec(name)).spec.digest);
  };
  EXPECT_EQ(digest_of("default"), "7a88569df99952ce1f8b555ba2984760");
  EXPECT_EQ(digest_of("noisy_motor"), "13d44ea378266371f2694033368560af");
  EXPECT_EQ(digest_of("instruments"), "27eec7623accf8730331d879f9e4ff62");
  EXPECT_EQ(digest_of("rover_square"), "62c19cf4c3dcb05d6cd07d5b15235864");
}

}  // namespace
}  // namespace tactus

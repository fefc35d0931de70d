// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/mavlink/mavlink_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr std::uint8_t kInteger = 6, kReal = 9;  // MAV_PARAM_TYPE_INT32, _REAL32
constexpr std::size_t kWindow = 8;               // parameters on the way at once
constexpr int kParameterTries = 10;
constexpr int kTriesToMention = 4;
constexpr std::size_t kMostNamed = 8;  // in a message
constexpr int kTriesOfAType = 2;       // without an answer
constexpr double kNearlyEqual = 1e-6;

bool is_whole(double value) { return math::rint(value) == value; }

}  // namespace

std::span<const std::byte> Outbox::take() {
  if (taken_ == frames_.size()) {
    frames_.clear();
    taken_ = 0;
    return {};
  }
  return frames_[taken_++].bytes();
}

bool Repeater::due(TimeUs now, DurationUs period) {
  if (last_ && now < *last_ + period) return false;
  last_ = now;
  return true;
}

void CommandSlot::ask(mavlink::CommandLong command, Address to, TimeUs now, DurationUs repeat,
                      Outbox& outbox) {
  if (!active_) {
    if (command.command != command_) unanswered_ = 0;
    stale_ = unanswered_;
    command_ = command.command;
    active_ = true;
    tries_ = 0;
    repeat_.restart();
  }
  if (!repeat_.due(now, repeat)) return;
  if (tries_ > 0) stale_ = 0;  // what is so late is lost
  command.target_system = to.system;
  command.target_component = to.component;
  outbox.send(command);
  waits_ = true;
  ++tries_;
  ++unanswered_;
}

void CommandSlot::abandon() {
  active_ = false;
  waits_ = false;
}

std::optional<std::uint8_t> CommandSlot::take(const mavlink::CommandAck& answer) {
  constexpr std::uint8_t kAccepted = 0, kInProgress = 5;
  if (answer.command != command_ || unanswered_ == 0 || answer.result == kInProgress) return {};
  --unanswered_;
  if (stale_ > 0) {
    --stale_;
    return {};
  }
  if (!active_) return {};
  waits_ = false;
  if (answer.result == kAccepted) active_ = false;
  return answer.result;
}

ParameterUpload::ParameterUpload(PilotFlavour flavour,
                                 const std::vector<EmittedParameter>& parameters)
    : flavour_(flavour) {
  settings_.reserve(parameters.size());
  for (const EmittedParameter& parameter : parameters) add(parameter);
}

void ParameterUpload::add(const EmittedParameter& parameter) {
  std::erase_if(settings_, [&](const Setting& old) {
    return !old.closed && old.wanted.name == parameter.name;
  });
  Setting& setting = settings_.emplace_back();
  setting.wanted = parameter;
  setting.integer = parameter.integer;
}

void ParameterUpload::look_for(const std::string& name) {
  EmittedParameter wanted;
  wanted.name = name;
  add(wanted);
  settings_.back().look = true;
}

void ParameterUpload::act(Address to, TimeUs now, DurationUs repeat, Outbox& outbox) {
  while (first_open_ < settings_.size() && settings_[first_open_].closed) ++first_open_;
  std::size_t on_the_way = 0;
  for (std::size_t i = first_open_; i < settings_.size() && on_the_way < kWindow; ++i) {
    Setting& setting = settings_[i];
    if (setting.closed) continue;
    ++on_the_way;
    if (!setting.repeat.due(now, repeat)) continue;
    if (setting.tries == kParameterTries) {
      give_up(setting);
      continue;
    }
    choose_type(setting);
    ++setting.tries;
    send(setting, to, outbox);
  }
}

/// One that has answered nothing at all need not be asked for the rest.
void ParameterUpload::give_up(Setting& setting) {
  setting.closed = true;
  if (std::ranges::any_of(settings_, &Setting::answered)) return;
  for (Setting& other : settings_) other.closed = true;
}

void ParameterUpload::choose_type(Setting& setting) const {
  const bool in_vain = setting.tries > 0 && setting.tries % kTriesOfAType == 0;
  if (setting.answered || !in_vain || !is_whole(setting.wanted.value)) return;
  setting.integer = !setting.integer;
}

/// Its answer has the type: the next try is made with it, at once.
void ParameterUpload::learn_type(Setting& setting, std::uint8_t type) const {
  if (flavour_ != PilotFlavour::kPx4 || (type != kInteger && type != kReal)) return;
  const bool integer = type == kInteger;
  if (setting.integer == integer || (integer && !is_whole(setting.wanted.value))) return;
  setting.integer = integer;
  setting.repeat.restart();
}

void ParameterUpload::send(const Setting& setting, Address to, Outbox& outbox) const {
  if (!setting.look) {
    outbox.send(message_of(setting, to));
    return;
  }
  mavlink::ParamRequestRead message;
  message.target_system = to.system;
  message.target_component = to.component;
  mavlink::set_text(message.param_id, setting.wanted.name);
  message.param_index = -1;  // by its name
  outbox.send(message);
}

/// PX4 puts the bits of an integer into the float; ArduPilot its value.
mavlink::ParamSet ParameterUpload::message_of(const Setting& setting, Address to) const {
  mavlink::ParamSet message;
  message.target_system = to.system;
  message.target_component = to.component;
  mavlink::set_text(message.param_id, setting.wanted.name);
  message.param_value = static_cast<float>(setting.wanted.value);
  message.param_type = kReal;
  if (flavour_ == PilotFlavour::kPx4 && setting.integer) {
    bool ok = true;
    const auto bits = static_cast<std::int32_t>(math::to_int64(setting.wanted.value, ok));
    std::memcpy(&message.param_value, &bits, sizeof bits);
    message.param_type = kInteger;
  }
  return message;
}

double ParameterUpload::value_of(const mavlink::ParamValue& message) const {
  if (flavour_ != PilotFlavour::kPx4 || message.param_type != kInteger) return message.param_value;
  std::int32_t bits = 0;
  std::memcpy(&bits, &message.param_value, sizeof bits);
  return bits;
}

bool ParameterUpload::is_taken(const Setting& setting) const {
  const bool integer = flavour_ == PilotFlavour::kPx4 && setting.integer;
  const double wanted =
      integer ? setting.wanted.value : double{static_cast<float>(setting.wanted.value)};
  // ArduPilot leaves a value that it finds close enough, by its last digits.
  const double tolerance =
      flavour_ == PilotFlavour::kArduCopter ? kNearlyEqual * math::abs(wanted) : 0.0;
  return math::abs(setting.answer - wanted) <= tolerance;
}

void ParameterUpload::take(const mavlink::ParamValue& message) {
  const std::string_view name = mavlink::text_of(message.param_id);
  for (std::size_t i = first_open_; i < settings_.size(); ++i) {
    Setting& setting = settings_[i];
    if (setting.closed || setting.tries == 0 || setting.wanted.name != name) continue;
    setting.answered = true;
    setting.answer = value_of(message);
    if (setting.look) {
      setting.taken = setting.closed = true;
      continue;
    }
    learn_type(setting, message.param_type);
    setting.taken = setting.closed = is_taken(setting);
  }
  while (first_open_ < settings_.size() && settings_[first_open_].closed) ++first_open_;
}

std::string ParameterUpload::unconfirmed() const {
  std::string list;
  for (const Setting& setting : settings_) {
    if (setting.closed || setting.tries < kTriesToMention) continue;
    list += (list.empty() ? "" : ", ") + setting.wanted.name;
  }
  return list;
}

bool ParameterUpload::waits() const {
  return std::any_of(settings_.begin(), settings_.end(),
                     [](const Setting& setting) { return !setting.closed && setting.tries > 0; });
}

std::vector<std::string> ParameterUpload::refused() const {
  std::vector<std::string> lines;
  for (const Setting& setting : settings_) {
    if (!setting.closed || setting.taken) continue;
    if (setting.look) {
      lines.push_back(setting.wanted.name + " (no such parameter)");
      continue;
    }
    const std::string why =
        setting.answered ? fmt::format("it says {}", setting.answer) : std::string("no answer");
    lines.push_back(fmt::format("{} = {} ({})", setting.wanted.name, setting.wanted.value, why));
  }
  return lines;
}

std::string ParameterUpload::refusal() const {
  if (!done()) return "";
  const std::vector<std::string> lines = refused();
  if (lines.empty()) return "";
  std::string list = lines[0];
  for (std::size_t i = 1; i < std::min(lines.size(), kMostNamed); ++i) list += ", " + lines[i];
  if (lines.size() > kMostNamed) list += fmt::format(" and {} more", lines.size() - kMostNamed);
  return "the vehicle did not take " + list;
}

}  // namespace tactus

// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/component/component_laws.h"

namespace tactus {
namespace {

/// A bus without voltage carries nothing, whatever is connected to it.
double current_of(const Pack& pack, const PackState& state, PackFault fault, bool empty,
                  double bus_v) {
  if (bus_v == 0.0) return 0.0;
  fault.connected = fault.connected && !empty;
  return pack_current_a(pack_source(pack, state, fault), bus_v);
}

template <class Visit>
void for_each_pack(const PowerNetwork& network, Visit visit) {
  for (int b = 0; b < network.bus_count; ++b) {
    for (int n = 0; n < network.bus[b].pack_count; ++n) visit(network.bus[b].pack[n], b);
  }
}

class BatteryLaws final : public ComponentLaws {
 public:
  void take_parameters(const Multirotor& from, Multirotor& vehicle) const override {
    for (int j = 0; j < vehicle.counts.packs; ++j) vehicle.network.pack[j] = from.network.pack[j];
  }

  [[nodiscard]] bool owns_entry(const MultirotorLayout& at, int entry) const override {
    return entry >= at.charge && entry < at.motor_output;
  }

  [[nodiscard]] bool owns_output(std::string_view leaf) const override {
    return leaf.starts_with("battery[");
  }

  void outputs(const Multirotor& vehicle, const MultirotorFlight& flight, Bus& bus) const override {
    for_each_pack(vehicle.network, [&](int j, int b) {
      const Pack& pack = vehicle.network.pack[j];
      const PackState state = detail::pack_state(RunTimeShape{&vehicle}, flight.state.x, j);
      const PackFault& fault = bus.faults.pack[j];
      const bool empty = has_bit(flight.modes.pack_empty, j);
      const double bus_v = bus.power.bus_v[b];
      bus.battery[j] = battery_status(pack, state, fault, empty, bus_v,
                                      current_of(pack, state, fault, empty, bus_v));
    });
  }

  void rates(const MultirotorSystem& system, double /*t_s*/, const double* x,
             const Coupling& coupling, double* dx) const override {
    const MultirotorLayout& at = system.vehicle->layout;
    const int pairs = system.vehicle->counts.rc_pairs;
    for_each_pack(system.vehicle->network, [&](int j, int b) {
      const Pack& pack = system.vehicle->network.pack[j];
      const PackState state = detail::pack_state(system.shape, x, j);
      const double current_a = current_of(pack, state, system.input->pack[j],
                                          has_bit(system.modes->pack_empty, j), coupling.bus_v[b]);
      const PackRates rates = pack_rates(pack, state, current_a);
      dx[at.charge + j] = rates.soc_per_s;
      for (int k = 0; k < pairs; ++k) dx[at.rc_voltage + j * pairs + k] = rates.v_rc_v_s[k];
    });
  }
};

}  // namespace

const ComponentLaws& battery_laws() {
  static const BatteryLaws laws;
  return laws;
}

}  // namespace tactus

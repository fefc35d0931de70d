// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: node fleet.mjs TACTUS FOLDER
//
// A fleet of three with a ground station for each of two: one only listens to its vehicle, which
// flies its own scenario; the other arms, flies and lands the other one. FOLDER gets the fleet file
// and the recordings.

import { mkdirSync, writeFileSync } from "node:fs";
import { Station, fail, same, start } from "./station.mjs";

const [program, folder] = process.argv.slice(2);
const kSpeed = 5;
const listener = new Station(1);
const pilot = new Station(8);

mkdirSync(folder, { recursive: true });
const fleet = `${folder}/fleet.toml`;
writeFileSync(fleet, `
[time]
end_s = 70.0
[[simulator]]
name = "left"
[[simulator]]
name = "right"
[[vehicle]]
id = 0
simulator = "left"
spec = "default"
mavlink_port = ${await listener.listen()}
[[vehicle]]
id = 7
simulator = "right"
spec = "standby"
mavlink_port = ${await pilot.listen()}
[[vehicle]]
id = 3
simulator = "right"
spec = "standby"
ground_station = false
`);
const how = ["--gcs", "--speed", `${kSpeed}`, "--threads", "2", "--quiet"];
const ended = start(program, ["bridge", fleet, ...how, "--record", folder, "--tier", "1"]);

const first = (one) => one.next("HEARTBEAT", () => true, 30);
const greeted = await Promise.all([listener, pilot].map(first));
same("systems", greeted.map(({ system }) => system), [1, 8]);
const leave = pilot.greet(kSpeed);
same("arm", await pilot.command(400, [1]), 0);
same("takeoff", await pilot.command(22, [0, 0, 0, NaN, NaN, NaN, NaN]), 0);
await pilot.next("GLOBAL_POSITION_INT", ({ relative_alt }) => relative_alt > 2000, 30);
same("land", await pilot.command(21), 0);
await pilot.next("EXTENDED_SYS_STATE", ({ landed_state }) => landed_state === 1, 30);
await pilot.next("HEARTBEAT", ({ base_mode }) => (base_mode & 128) === 0, 30);
await listener.next("LOCAL_POSITION_NED", ({ x, y }) => Math.hypot(x, y) > 5, 30);
await ended;
leave();
for (const one of [listener, pilot]) one.close();
if (listener.counts.COMMAND_ACK) fail("vehicle 0 received a command");
console.log("messages from two vehicles of a fleet, one of them flown and landed");

// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: node fly.mjs TACTUS RECORDING
//
// A ground station made of node-mavlink, which shares nothing with our MAVLink: starts TACTUS with
// --gcs, waits for its heartbeat, lists and sets parameters, uploads and downloads a mission, arms,
// takes off, flies the mission, waits for the landing and for the end of the program.

import { Station, fail, same, start } from "./station.mjs";

const [program, recording] = process.argv.slice(2);
const kSpeed = 5;
const station = new Station(1);
const { seen, counts, waiting, to: toVehicle } = station;
const send = (name, values) => station.send(name, values);
const next = (...what) => station.next(...what);
const command = (...what) => station.command(...what);

const place = (north_m, east_m) => ({
  x: Math.round(473977420 + (north_m * 1e7) / 111_180),
  y: Math.round(85455940 + (east_m * 1e7) / 75_270),
});
const items = [
  { command: 22, z: 6, ...place(0, 0) },
  { command: 16, z: 6, ...place(10, 4) },
  { command: 21, z: 0, ...place(0, 0) },
].map((item, seq) => {
  const params = { param1: 0, param2: 0, param3: 0, param4: 0 };
  const rest = { frame: 6, autocontinue: 1, current: 0, mission_type: 0 };
  return { ...toVehicle, seq, ...rest, ...params, ...item };
});
const kCompared = ["frame", "command", "autocontinue", "param1", "param2", "param3", "x", "y", "z"];

async function upload() {
  const give = (_, { seq }) => send("MISSION_ITEM_INT", items[seq]);
  const wait = (name, values) => name === "MISSION_REQUEST_INT" && give(name, values);
  waiting.add(wait);
  const ack = await next("MISSION_ACK", () => true, 20, () => {
    if (!counts.MISSION_REQUEST_INT) send("MISSION_COUNT", { ...toVehicle, count: items.length });
  });
  waiting.delete(wait);
  same("MISSION_ACK", ack.type, 0);
}

async function download() {
  const list = () => send("MISSION_REQUEST_LIST", toVehicle);
  same("items", (await next("MISSION_COUNT", () => true, 10, list)).count, items.length);
  for (const item of items) {
    const ask = () => send("MISSION_REQUEST_INT", { ...toVehicle, seq: item.seq });
    const got = await next("MISSION_ITEM_INT", ({ seq }) => seq === item.seq, 10, ask);
    for (const key of kCompared) same(`item ${item.seq}: ${key}`, got[key], item[key]);
  }
  send("MISSION_ACK", { ...toVehicle, type: 0 });
}

async function parameters() {
  const names = new Set();
  const collect = (name, { param_id }) => {
    if (name === "PARAM_VALUE") names.add(param_id.replace(/\0.*/, ""));
  };
  waiting.add(collect);
  const list = () => send("PARAM_REQUEST_LIST", toVehicle);
  await next("PARAM_VALUE", ({ param_count }) => names.size === param_count, 10, list);
  waiting.delete(collect);
  const name = "CRUISE_SPEED";
  const wanted = { ...toVehicle, param_id: name, param_value: 4, param_type: 9 };
  const is = ({ param_id, param_value }) => param_id.startsWith(name) && param_value === 4;
  await next("PARAM_VALUE", is, 10, () => send("PARAM_SET", wanted));
  return names.size;
}

const port = await station.listen();
const flight = ["run", "standby", "--t-end", "100s", "--quiet"];
const link = ["--gcs", `${port}`, "--speed", `${kSpeed}`];
const ended = start(program, [...flight, ...link, "--record", recording, "--tier", "1"]);
const heartbeat = await next("HEARTBEAT", () => true, 30);
same("autopilot", heartbeat.autopilot, 12);
const leave = station.greet(kSpeed);
const count = await parameters();
same("REQUEST_MESSAGE", await command(512, [148]), 0);
same("capabilities", Number(seen.AUTOPILOT_VERSION.capabilities & 4n), 4);
same("an unknown command", await command(31010), 3);
await upload();
await download();

same("arm", await command(400, [1]), 0);
await next("HEARTBEAT", ({ base_mode }) => (base_mode & 128) !== 0, 10);
same("takeoff", await command(22, [0, 0, 0, NaN, NaN, NaN, NaN]), 0);
await next("GLOBAL_POSITION_INT", ({ relative_alt }) => relative_alt > 2000, 30);
same("mission", await command(176, [1, 4, 4]), 0);
await next("HEARTBEAT", ({ custom_mode }) => custom_mode === 0x04040000, 10);
await next("MISSION_ITEM_REACHED", ({ seq }) => seq === 1, 60);
const far = seen.LOCAL_POSITION_NED;
if (Math.hypot(far.x - 10, far.y - 4) > 2) fail(`it is at ${far.x}, ${far.y}`);
await next("HEARTBEAT", ({ base_mode }) => (base_mode & 128) === 0, 60);
await next("EXTENDED_SYS_STATE", ({ landed_state }) => landed_state === 1, 10);
const home = seen.LOCAL_POSITION_NED;
if (Math.hypot(home.x, home.y) > 1.5) fail(`it landed at ${home.x}, ${home.y}`);
await ended;
leave();
station.close();
const received = `${counts.ATTITUDE} ATTITUDE received`;
console.log(`${count} parameters, ${items.length} items, flown and landed; ${received}`);

// Plays random games in a module under Node, as a host of its own: node in_node.mjs MODULE REQUEST
// The request says where things lie, and which games are played; the answer has the state of each at its end, in hex.

import { readFile } from "node:fs/promises";

const [path, text] = process.argv.slice(2);
const request = JSON.parse(text);
const { instance } = await WebAssembly.instantiate(await readFile(path), {});
const { memory, fresh, playout, check, play_batch, fault } = instance.exports;

const answer = { games: [], batch: [] };
for (const game of request.games) {
  const view = new DataView(memory.buffer);
  game.streams.forEach((stream, seat) => view.setBigUint64(request.streams + 8 * seat, BigInt(stream), true));
  new Uint8Array(memory.buffer, request.violated, 4 * request.invariants).fill(0xff);
  let stopped = 0;
  try {
    fresh(request.state, BigInt.asIntN(64, BigInt(game.seed)));
    playout(request.state, request.longest, 1);
    check(request.state);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    stopped = fault.value;
    fault.value = 0;
  }
  const bytes = (place, size) => Buffer.from(memory.buffer, place, size).toString("hex");
  answer.games.push({
    stopped,
    image: bytes(request.state, request.size),
    violated: bytes(request.violated, 4 * request.invariants),
  });
}
if (!answer.games.some((game) => game.stopped)) {
  const made = play_batch(request.state, 5n, request.batch, request.longest);
  const bits = BigInt.asUintN(64, made);
  answer.batch = [Number(bits & 0xffffffffn), Number(bits >> 32n)];
}
console.log(JSON.stringify(answer));

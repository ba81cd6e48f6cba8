/** A host that is killed in the middle of swaps comes back with a whole version, and leaves no process behind. */
import t from "tap";
import { killDuringSwaps } from "../../host/plugin-load/kill-drill.js";

const kills = 5;

t.test("kill -9 during swaps", async (t) => {
  await killDuringSwaps(kills, ({ way, moment, between, first, processes }) => {
    t.ok(between.includes(first), `${way}, after ${moment} ms: ${first} of ${between.join(" and ")} answers`);
    t.ok(processes > 0, "and what the host had started has ended");
  });
});

import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Rounds of loops between two checks of the memory. */
const rounds = 256;
/**
 * A function for each round of a loop. Throws a `RangeError` where more than the limit, in MiB, is in use: a process that
 * ends with a full heap takes the place of the loop with it.
 */
export function loopMemory(limit: number): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new TypeError("This Node.js has no garbage collection on demand.");
  const most = limit * 2 ** 20;
  const isFull = (): boolean => getHeapStatistics().used_heap_size > most;
  let round = 0;
  return Object.freeze(() => {
    round = (round + 1) % rounds;
    if (round !== 0 || !isFull()) return;
    collect();
    if (isFull()) throw new RangeError(`needs more than ${limit} MB of memory`);
  });
}

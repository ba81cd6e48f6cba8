/**
 * Two stored results of `npm run bench -- all`: `npm run bench -- compare A B`. What became worse from A to B by more than the
 * spread of either, and by more than 5 %, is marked, and makes the exit code 1.
 */
import { storedResult } from "./all/result.js";
import { comparison } from "./all/result-table.js";

export async function run(options: string[]): Promise<{ text: string; json: unknown }> {
  const [first, second, ...more] = options;
  if (first === undefined || second === undefined || more.length > 0)
    throw new Error("compare takes two files with results");
  const { text, worse } = comparison(await storedResult(first), await storedResult(second));
  if (worse.length > 0) process.exitCode = 1;
  const conclusion =
    worse.length === 0 ? "Nothing became worse by more than the spread." : `Worse: ${worse.join("; ")}`;
  return { text: `${text}\n\n${conclusion}`, json: { worse } };
}

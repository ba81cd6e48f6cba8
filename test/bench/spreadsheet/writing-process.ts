/** Writes one workbook, says what it took, and ends. */
import { benchmarkRows, columns } from "./benchmark-rows.js";
import { contenders } from "./contenders.js";
import type { Writing, WritingMeasurement } from "./measure-writing.js";
import { readTable } from "./read-table.js";

process.once("message", async ({ contender, rows, pictures, file }: Writing) => {
  // Code is compiled before it counts.
  await contenders[contender]({ columns, rows: benchmarkRows(500, pictures) });
  const table = file === undefined ? { columns, rows: benchmarkRows(rows, pictures) } : await readTable(file);
  global.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const bytes = await contenders[contender](table);
  const milliseconds = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(watch);
  const mebibytes = 1024 ** 2;
  process.send?.({
    milliseconds,
    cpu: (user + system) / 1000,
    before: before / mebibytes,
    peak: peak / mebibytes,
    bytes,
  } satisfies WritingMeasurement);
  process.disconnect();
});

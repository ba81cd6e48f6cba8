/** Does the work of one contender, as often as it is told to. */
import { type Contender, contenders, type Input } from "./contenders.js";
import type { Measured } from "./measured-process.js";

process.on("message", async ({ contender, input }: { contender: Contender; input: Input }) => {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const content = await contenders[contender](input);
  const milliseconds = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ content, milliseconds, cpu: (user + system) / 1000 } satisfies Measured);
});

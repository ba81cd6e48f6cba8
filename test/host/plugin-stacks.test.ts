/**
 * Stacks of a plugin name the files of its author, also when it came as an archive. Uses the part itself: the stacks are in the log,
 * and a supervisor starts in a fraction of the time of a host.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { packPlugin } from "../../host/plugins/packages/pack-plugin.js";
import { sdkVersion } from "../../host/system/installation.js";
import { type LogEntry, startPlugins } from "./plugins-support.js";
import { writeFiles } from "./templates-support.js";

const plugin = (name: string, entry: string): Record<string, string> => ({
  "package.json": JSON.stringify({
    name,
    version: "1.0.0",
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: name, entry: "./source/index.ts" },
  }),
  "source/index.ts": entry,
  "source/sums.ts": `import type { Host } from "@slipway/sdk";

export function sum(host: Host, prices?: number[]): number {
  host.log.info("summing");
  return prices!.length;
}
`,
});

const entry = `import { definePlugin, type Host, route } from "@slipway/sdk";
import { sum } from "./sums.js";

export default definePlugin({
  setup: (host: Host) => ({
    routes: [
      route.get("sum", { summary: "Fails.", handler: () => sum(host) }),
      route.get("later", { summary: "Fails afterwards.", handler: () => void setTimeout(() => sum(host)) }),
    ],
  }),
});
`;

const failed =
  (message: string, name: string) =>
  (entry: LogEntry): boolean =>
    entry.message === message && entry.fields["plugin"] === `${name}@1.0.0`;

t.test("stacks name files, lines and columns of the sources", async (t) => {
  const folder = t.testdir({ sources: {}, drop: {} });
  const drop = join(folder, "drop");
  for (const name of ["Open", "Packed"]) {
    const source = join(name === "Open" ? drop : join(folder, "sources"), name);
    await mkdir(source);
    await writeFiles(source, plugin(name, entry));
    if (name === "Packed") await packPlugin(source, { sdkVersion, out: join(drop, "packed.tgz") });
  }
  await writeFile(
    join(folder, "outside.map"),
    JSON.stringify({ version: 3, sources: ["outside.ts"], names: [], mappings: "AAAA;AAAA;AAAA;AAAA" }),
  );
  await mkdir(join(drop, "Foreign"));
  await writeFiles(
    join(drop, "Foreign"),
    plugin("Foreign", `${entry}\n//# sourceMappingURL=../../../outside.map\n`),
  );
  const plugins = await startPlugins({ folders: [drop] });
  t.teardown(() => plugins.stop());
  for (const name of ["Open", "Packed", "Foreign"])
    await plugins.logged(({ message }) => message === `${name}@1.0.0 is live`);

  for (const name of ["Open", "Packed"]) {
    t.equal((await plugins.ask(name, "GET sum")).status, 500);
    const { fields } = await plugins.logged(failed("GET sum failed", name));
    t.match(
      fields["error"],
      /TypeError: .*\n +at sum \(source\/sums\.ts:5:\d+\)\n +at .*source\/index\.ts:7:\d+/,
    );
    await plugins.ask(name, "GET later");
    const fault = await plugins.logged(failed("A plugin failed outside of its handlers", name));
    t.match(fault.fields["detail"], /at sum \(source\/sums\.ts:5:\d+\)/);
  }
  await plugins.ask("Foreign", "GET sum");
  const { fields } = await plugins.logged(failed("GET sum failed", "Foreign"));
  t.match(fields["error"], /source\/sums\.ts:5/);
  t.notMatch(fields["error"], /outside/, "a map that a comment names is not read");
});

/**
 * Versions of plugins that are refused, with what was meant. Uses the part itself: the states of many plugins at once, from one
 * supervisor.
 */
import { join } from "node:path";
import t from "tap";
import { startPlugins } from "./plugins-support.js";
import { writeFiles } from "./templates-support.js";

const usual = 'a version such as "1.0.0" or "1.1.0-beta.1"';
const withoutMetadata = "a version without build metadata, which has no order";

/** With what is expected, and what to use instead of build metadata. */
const refused: [version: unknown, expected: string, remedy?: string][] = [
  ["1.0.0+build.7", withoutMetadata, '"1.0.1", or the prerelease "1.0.0-build.7"'],
  ["1.0.0-rc.1+5", withoutMetadata, '"1.0.0-rc.2", or the prerelease "1.0.0-rc.1.5"'],
  ["1.0.0+a_b", withoutMetadata, '"1.0.1"'],
  ["1.0.0+", withoutMetadata, '"1.0.1"'],
  ["1.0.0+007", withoutMetadata, '"1.0.1"'],
  ["v1.0.0", '"1.0.0"'],
  ["=1.0.0", '"1.0.0"'],
  [" 1.0.0 ", '"1.0.0"'],
  ["1.0", '"1.0.0"'],
  ["1", '"1.0.0"'],
  ["01.0.0", '"1.0.0"'],
  ["1.0.0.0", usual],
  ["1.x", usual],
  ["latest", usual],
  ["+build", usual],
  ["", usual],
  ["99999999999999999999.0.0", usual],
];

t.test("a version that is none is told with the one that was meant", async (t) => {
  const folder = t.testdir();
  const write = (name: string, version: unknown): Promise<void> =>
    writeFiles(join(folder, name), {
      "package.json": JSON.stringify({
        name: "acme",
        version,
        type: "module",
        engines: { slipway: "^1.0.0" },
        slipway: { plugin: "Acme", entry: "index.js" },
      }),
      "index.js": "",
    });
  for (const [index, [version]] of refused.entries()) await write(`refused-${index}`, version);
  await write("long", `1.0.0-${"a".repeat(194)}`);
  await write("number", 1);
  const plugins = await startPlugins({ folders: [folder] });
  t.teardown(() => plugins.stop());
  const reasonOf = (name: string): string => {
    const state = plugins.supervisor.states().find((each) => each.folder === join(folder, name));
    t.equal(state?.stage, "rejected", name);
    return state?.reason ?? "";
  };
  for (const [index, [version, expected, remedy]] of refused.entries()) {
    const advice = remedy === undefined ? "" : `; use ${remedy}`;
    t.equal(
      reasonOf(`refused-${index}`),
      `\`package.json.version\` must be ${expected}, but is ${JSON.stringify(version)}${advice}`,
    );
  }
  t.match(reasonOf("long"), /^`package\.json\.version` .* more than 100 characters/);
  t.match(reasonOf("number"), /^`package\.json\.version` must be a string, but is 1/);
});

/**
 * Plugins in CommonJS, as authors write them and as compilers do, beside ES modules. Uses the part itself: states of many
 * plugins at once, from one supervisor.
 */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { startPlugins, until } from "../../host/plugins-support.js";
import { writeFiles } from "../../host/templates-support.js";
import { commandLine } from "../../start-host.js";

interface Written {
  type?: unknown;
  entry: string;
  files: Record<string, string>;
  /** Further members of `slipway` in the package.json. */
  members?: Record<string, unknown>;
}

/** What all of them do: a route that answers, and an error of the SDK that only the same SDK knows. */
const routes = (sdk: string): string => `setup: () => ({ routes: [
  ${sdk}route.get("word.json", { summary: "A word.", handler: () => ({ word: "hello" }) }),
  ${sdk}route.get("error.json", { summary: "An error.", handler: () => {
    throw new ${sdk}RequestError({ id: "project-empty", code: 422, message: "It is empty." });
  } }),
] })`;
const required = 'const { definePlugin, route, RequestError } = require("@slipway/sdk");\n';
const imported = 'import { definePlugin, route, RequestError } from "@slipway/sdk";\n';
const commonJs = `${required}module.exports = definePlugin({ ${routes("")} });`;
const module = `${imported}export default definePlugin({ ${routes("")} });`;

/** What `tsc` writes for "module": "commonjs" with `esModuleInterop`. */
const compiled = {
  "dist/index.js": `"use strict";
var __importStar = (this && this.__importStar) || function (mod) {
  if (mod && mod.__esModule) return mod;
  return Object.assign({ default: mod }, mod);
};
Object.defineProperty(exports, "__esModule", { value: true });
const sdk = __importStar(require("@slipway/sdk"));
const routes_1 = require("./routes");
exports.default = sdk.definePlugin({ setup: () => ({ routes: (0, routes_1.routes)() }) });
`,
  "dist/routes.js": `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.routes = routes;
const sdk_1 = require("@slipway/sdk");
function routes() { return ({ ${routes("sdk_1.")} }).setup().routes; }
`,
};

/** By name of the plugin. */
const taken: Record<string, Written> = {
  Untyped: { entry: "index.js", files: { "index.js": commonJs } },
  Typed: { type: "commonjs", entry: "index.js", files: { "index.js": commonJs } },
  Ending: { type: "module", entry: "index.cjs", files: { "index.cjs": commonJs } },
  Default: {
    entry: "index.js",
    files: { "index.js": `${required}exports.default = definePlugin({ ${routes("")} });` },
  },
  Compiled: { type: "commonjs", entry: "dist/index.js", files: compiled },
  Assigned: {
    type: "commonjs",
    entry: "index.cts",
    files: {
      "index.cts": `import sdk = require("@slipway/sdk");\nexport = sdk.definePlugin({ ${routes("sdk.")} });`,
    },
  },
  UntypedModule: { entry: "index.js", files: { "index.js": module } },
  ModuleEnding: { type: "commonjs", entry: "index.mjs", files: { "index.mjs": module } },
  TypeScript: { entry: "index.ts", files: { "index.ts": module } },
  Module: { type: "module", entry: "index.js", files: { "index.js": module } },
  Mixed: {
    type: "module",
    entry: "index.js",
    files: {
      "index.js": `${imported}import part from "./part.cjs";
export default definePlugin({ setup: () => ({ routes: part.setup().routes }) });`,
      "part.cjs": `const { route, RequestError } = require("@slipway/sdk");\nmodule.exports = { ${routes("")} };`,
    },
  },
  Dependency: {
    entry: "index.js",
    files: {
      "index.js": 'module.exports = require("greeter");',
      "node_modules/greeter/package.json": '{ "name": "greeter", "main": "main.js" }',
      "node_modules/greeter/main.js": commonJs,
    },
  },
  Bringing: {
    entry: "index.js",
    members: { config: "config.json", assets: ["data/*.txt"] },
    files: {
      "config.json": '{ "word": "hel" }',
      "data/end.txt": "lo",
      "names.json": '{ "error": "error.json" }',
      "index.js": `const { definePlugin, route, RequestError, Type } = require("@slipway/sdk");
const { basename } = require("node:path");
const names = require("./names.json");
module.exports = definePlugin({
  config: Type.Object({ word: Type.String() }),
  setup: (host, config) => ({ routes: [
    route.get("word.json", { summary: "A word.", handler: async () => ({ word: config.word + await host.assets.text("data/end.txt") }) }),
    route.get(basename(names.error), { summary: "An error.", handler: () => {
      throw new RequestError({ id: "project-empty", code: 422, message: "It is empty." });
    } }),
  ] }),
});`,
    },
  },
};

const expectedType = (received: string): RegExp =>
  RegExp(`\`package\\.json\\.type\` must be one of "module", "commonjs", but is ${received}`);

/** With the stage and its reason. */
const refused: Record<string, [Written, stage: string, reason: RegExp]> = {
  OtherType: [
    { type: "esm", entry: "index.js", files: { "index.js": commonJs } },
    "rejected",
    expectedType('"esm"'),
  ],
  OtherCase: [
    { type: "CommonJS", entry: "index.js", files: { "index.js": commonJs } },
    "rejected",
    expectedType('"CommonJS"'),
  ],
  NoText: [{ type: 5, entry: "index.js", files: { "index.js": commonJs } }, "rejected", expectedType("5")],
  Named: [
    { entry: "index.js", files: { "index.js": commonJs.replace("module.exports", "exports.plugin") } },
    "failed",
    /default export is no plugin; .* in CommonJS `module\.exports = definePlugin/,
  ],
  Missing: [
    { entry: "index.js", files: { "index.js": `require("not-there");\n${commonJs}` } },
    "rejected",
    /index\.js:1:\d+: Could not resolve "not-there"/,
  ],
};

const filesOf = (name: string, { type, entry, files, members }: Written): Record<string, string> => ({
  ...files,
  "package.json": JSON.stringify({
    name: name.toLowerCase(),
    version: "1.0.0",
    type,
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: name, entry, smoke: [{ path: "word.json" }], ...members },
  }),
});

t.test("plugins in CommonJS run like others", async (t) => {
  const folder = t.testdir();
  const refusals = Object.entries(refused).map(([name, [written]]): [string, Written] => [name, written]);
  for (const [name, written] of [...Object.entries(taken), ...refusals])
    await writeFiles(join(folder, name), filesOf(name, written));
  const plugins = await startPlugins({ folders: [folder] });
  t.teardown(() => plugins.stop());
  const ends = ["live", "standby", "rejected", "failed", "quarantined"];
  await until(() => plugins.supervisor.states().every(({ stage }) => ends.includes(stage)));
  for (const name of Object.keys(taken)) {
    const state = plugins.supervisor.states().find((each) => each.folder === join(folder, name));
    t.match(state, { stage: "live", reason: undefined }, name);
    if (state?.stage !== "live") continue;
    t.match(await plugins.ask(name, "GET word.json"), { status: 200, body: { word: "hello" } }, name);
    const { error } = await plugins.ask(name, "GET error.json");
    t.match(error, { code: 422, id: "project-empty" }, `${name} has the same SDK as the host`);
  }
  for (const [name, [, stage, reason]] of Object.entries(refused)) {
    const state = plugins.supervisor.states().find((each) => each.folder === join(folder, name));
    t.match(state, { stage, reason }, name);
  }
});

t.test("an archive of a plugin in CommonJS needs nothing of its folder", async (t) => {
  const folder = t.testdir({ source: {}, plugins: {} });
  const [source, plugin] = [join(folder, "source"), taken["Compiled"]];
  if (plugin === undefined) throw new Error("There is no compiled plugin.");
  await writeFiles(source, filesOf("Compiled", plugin));
  const out = join(folder, "plugins", "compiled.tgz");
  const { stderr } = await promisify(execFile)(process.execPath, [
    commandLine,
    "plugin",
    "pack",
    source,
    "--out",
    out,
  ]);
  t.notMatch(stderr, /warning/i);
  await rm(source, { recursive: true });
  const plugins = await startPlugins({ folders: [join(folder, "plugins")] });
  t.teardown(() => plugins.stop());
  t.match(plugins.supervisor.states(), [{ stage: "live", name: "Compiled" }]);
  t.match(await plugins.ask("Compiled", "GET word.json"), { status: 200, body: { word: "hello" } });
});

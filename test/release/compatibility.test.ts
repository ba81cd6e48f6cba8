/**
 * Plugins that were built with older SDKs load, answer as they did, and compile. The comparison of versions is tested by
 * itself: this host has only one version.
 */
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { extract } from "tar";
import ts from "typescript";
import { sdkMismatch } from "../../host/plugins/packages/manifest.js";
import { differences } from "../compatibility/differences.js";
import { answersOf, folder, readRecording } from "../compatibility/recording.js";
import { repository } from "../start-host.js";

/** The archive that is dropped in, the one that has its TypeScript, and the answers of its time. */
const plugins = [
  { archive: "first-sdk-1.0.0.tgz", sources: "first-sdk-1.0.0.tgz", recording: "first-sdk-1.0.0.json" },
  {
    archive: "first-packed-1.0.0.tgz",
    sources: "first-packed-source.tgz",
    recording: "first-packed-1.0.0.json",
  },
];

t.test("dropped into a running host, they answer every request as they did in their own time", async (t) => {
  const recordings = await Promise.all(plugins.map(({ recording }) => readRecording(recording)));
  const asked = recordings.map(({ plugin, exchanges }) => ({
    plugin,
    questions: exchanges.map(({ question }) => question),
  }));
  const dropped = plugins.map(({ archive }) => archive);
  const { answers, log } = await answersOf(asked, { plugins: t.testdir({}), dropped });
  for (const [at, { plugin, exchanges }] of recordings.entries()) {
    for (const [index, { question, answer }] of exchanges.entries()) {
      const found = differences(answer, answers[at]?.[index], "answer");
      t.strictSame(found, [], `${plugin}: ${question.method} ${question.path}`);
    }
    const life = log.flatMap(({ plugin: of, msg }) => (of === `${plugin}@1.0.0` ? [msg] : []));
    t.ok(
      life.some((message) => /is set up$/.test(String(message))),
      `${plugin} was set up`,
    );
    t.ok(
      life.some((message) => /has stopped$/.test(String(message))),
      `${plugin} was stopped`,
    );
  }
});

t.test("their sources compile with today's SDK", async (t) => {
  const elsewhere = await mkdtemp(join(tmpdir(), "slipway-compatibility-"));
  t.teardown(() => rm(elsewhere, { recursive: true, force: true }));
  await mkdir(join(elsewhere, "node_modules", "@slipway"), { recursive: true });
  await symlink(join(repository, "sdk"), join(elsewhere, "node_modules", "@slipway", "sdk"));
  await symlink(join(repository, "node_modules", "@types"), join(elsewhere, "node_modules", "@types"));
  const modules: string[] = [];
  for (const { sources } of plugins) {
    const place = join(elsewhere, sources);
    await mkdir(place);
    await extract({ file: join(folder, sources), cwd: place, strip: sources.includes("source") ? 0 : 1 });
    const found = await readdir(join(place, "src"));
    modules.push(...found.map((name) => join(place, "src", name)));
  }
  t.ok(modules.length > 20, "there is something to compile");
  // One route breaks its response schema on purpose, which the compiler finds since 1.1.0.
  const broken = /\/errors\.ts: Type 'string' is not assignable to type 'number'\.$/;
  t.strictSame(
    mistakes(modules).filter((mistake) => !broken.test(mistake)),
    [],
  );
});

t.test("a plugin for another SDK is refused with what to do about it", (t) => {
  const older = /, which is older: update the host, or take an older version of the plugin$/;
  const newer = /, which is newer: take a newer version of the plugin$/;
  const cases: [range: string, host: string, said: RegExp | undefined][] = [
    ["^1.0.0", "1.1.0", undefined],
    [
      "^1.2.0",
      "1.1.0",
      /^the plugin was built for Slipway \^1\.2\.0 \(engines\.slipway\), this host has 1\.1\.0/,
    ],
    ["^1.2.0", "1.1.0", older],
    ["^1.0.0", "2.0.0", newer],
    ["^1.1.0", "1.2.0-beta.1", undefined],
    ["^1.2.0", "1.2.0-beta.1", older],
    ["^1.0.0", "2.0.0-beta.1", newer],
    ["^1.2.0-beta.1", "1.2.0-beta.2", undefined],
    ["1.0.x || ^2.0.0", "1.1.0", /this host has 1\.1\.0: take another version of the plugin$/],
  ];
  for (const [range, host, said] of cases) {
    const mismatch = sdkMismatch(range, host);
    if (said === undefined) t.equal(mismatch, undefined, `${range} runs in ${host}`);
    else t.match(mismatch, said, `${range} does not run in ${host}`);
  }
  t.end();
});

/** The options of the plugins, without the time that it takes to check the declarations of TypeBox itself. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  types: ["node"],
  skipLibCheck: true,
  noEmit: true,
};

function mistakes(modules: readonly string[]): string[] {
  return ts
    .getPreEmitDiagnostics(ts.createProgram(modules, options))
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}

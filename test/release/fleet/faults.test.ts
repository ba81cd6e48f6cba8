/** A short run of `npm run fleet-test`: hosts and the database are killed under load, and nothing acknowledged is lost. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { findPrograms } from "../../postgresql-server.js";
import { repository } from "../../start-host.js";

const skip = (await findPrograms()) === undefined && "there are no programs of PostgreSQL here";

const checkResults = new Validator().compile(
  Type.Object({
    seed: Type.Integer(),
    results: Type.Array(
      Type.Object({
        row: Type.String(),
        done: Type.String(),
        findings: Type.Array(
          Type.Object({ what: Type.String(), seen: Type.String(), isKept: Type.Optional(Type.Boolean()) }),
        ),
        problems: Type.Array(Type.String()),
      }),
    ),
  }),
  "results",
);

function run(...options: string[]) {
  const program = join(repository, "test", "fleet", "fleet-test.ts");
  return spawn(process.execPath, ["--import", "tsx", program, ...options], { cwd: repository });
}

t.test("nothing that was acknowledged is lost, torn or doubled", { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-test-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const out = join(folder, "results.json");
  const sizes = ["--requests", "700", "--killEvery", "3000", "--primaryKills", "1"];
  const child = run("--rows", "mix", "--seed", "5", "--out", out, ...sizes);
  const [shown, told] = await Promise.all([text(child.stdout), text(child.stderr)]);
  t.match(shown, /^Seed 5: /, told);
  t.match(shown, /^lost +0 +kept$/m);
  const { seed, results } = checked(checkResults(JSON.parse(await readFile(out, "utf8"))), "results");
  t.equal(seed, 5);
  const [mix] = results;
  t.match(mix?.done, /[1-9]\d* kills of hosts, 1 of the primary, 1 promotion of the standby$/);
  t.strictSame(mix?.problems, []);
  const seen = new Map(mix?.findings.map((finding) => [finding.what, finding.seen]));
  for (const what of ["lost", "torn", "doubled", "other failures, and answers that were wrong"])
    t.equal(seen.get(what), "0", what);
  t.match(seen.get("acknowledged"), /^[1-9]\d+ \([1-9]\d* sessions, [1-9]\d* files\)$/);
});

t.test("wrong options end it before anything is started", async (t) => {
  for (const [options, message] of [
    [["--rows", "mix,everything"], /--rows: expected some of mix, switches/],
    [["--requests", "many"], /--requests: expected a number, received many/],
  ] as const) {
    const child = run(...options);
    const [told, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    t.equal(code, 2);
    t.match(told, message);
    t.match(told, /npm run fleet-test -- /);
  }
});

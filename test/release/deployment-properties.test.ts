/**
 * Which version answers, for any sequence of what may happen to a plugin: what has to hold is checked after every step,
 * against a record of the sequence that knows nothing of how the host decides. Uses the part itself.
 */
import fc from "fast-check";
import semver from "semver";
import t from "tap";
import { requirePossible } from "../../host/plugins/deployment/orders.js";
import { hashOf, type SimulatedContent, Simulation } from "../host/deployment-simulation.js";

const sequences = 10_000;

/** The same sequences each time; another number in the environment gives others. */
const seed = Number(process.env["DEPLOYMENT_SEED"] ?? 1);

const pool: SimulatedContent[] = [
  ...["1.0.0", "1.0.1", "1.1.0", "1.2.0", "1.3.0", "2.0.0"].map((version) => ({ version, starts: true })),
  ...["1.0.2", "1.1.5", "1.9.0"].map((version) => ({ version, starts: false })),
];
const byVersion = new Map(pool.map((content) => [content.version, content]));
const places = ["a", "b", "c"];
const releaseSets: Record<string, Record<string, string>>[] = [
  { one: { Sample: "*" } },
  { one: { Sample: "*" }, two: { Sample: "~1.0.0" } },
  { two: { Sample: "~1.0.0" }, three: { Sample: "^1.1.0" } },
];
const allReleases = ["one", "two", "three"];

/** What an observer writes down. */
class Observed {
  releases: (typeof releaseSets)[number];
  isDisabled = false;
  /** Served badly, and nothing has lifted it. */
  readonly quarantined = new Set<string>();
  /** By release: what an admin rolled back from. */
  readonly left = new Map<string, Set<string>>();
  /** Versions that have answered under a release and came through their trial. */
  readonly proven = new Set<string>();
  /** "release version" of all that have answered, on trial too. */
  readonly answered = new Set<string>();

  constructor(releases: (typeof releaseSets)[number]) {
    this.releases = releases;
  }

  leftIn(release: string): Set<string> {
    const left = this.left.get(release) ?? new Set();
    this.left.set(release, left);
    return left;
  }
}

type Command = fc.Command<Observed, Simulation>;

function holds(condition: boolean, message: string, of: Simulation): void {
  if (condition) return;
  const { serving, memory, fellBack } = of;
  throw new Error(`${message}: ${JSON.stringify({ serving, fellBack, memory }, undefined, 1)}`);
}

/** What holds at any time. */
function invariants(record: Observed, simulation: Simulation): void {
  const { serving, rollout } = simulation;
  const at = JSON.stringify(serving);
  if (record.isDisabled) holds(at === "{}", "disabling wins over everything", simulation);
  for (const [release, version] of Object.entries(serving)) {
    const range = record.releases[release]?.["Sample"];
    holds(
      range !== undefined && semver.satisfies(version, range),
      "a release answers within its range",
      simulation,
    );
    holds(byVersion.get(version)?.starts === true, "what does not start never answers", simulation);
    holds(!record.quarantined.has(version), `${version} is in quarantine and answers`, simulation);
    record.answered.add(`${release} ${version}`);
  }
  const known = new Set(rollout.quarantined.map(({ version }) => version));
  for (const version of record.quarantined)
    holds(known.has(version), `the quarantine of ${version} was lifted`, simulation);
  simulation.settle();
  holds(JSON.stringify(simulation.serving) === at, "what is settled stays", simulation);
}

/** One step, with what has to hold after it. */
function step(
  name: string,
  run: (record: Observed, simulation: Simulation) => void,
  isPossible: (record: Observed) => boolean = () => true,
): Command {
  return {
    check: isPossible,
    run(record, simulation) {
      run(record, simulation);
      invariants(record, simulation);
    },
    toString: () => name,
  };
}

const drop = (place: string, { version }: SimulatedContent): Command =>
  step(`drop ${version} into ${place}`, (_record, simulation) => {
    // The same in two places is refused before anything is decided.
    if (simulation.isTakenElsewhere(place, version)) return;
    const before = simulation.serving;
    simulation.drop(place, version);
    if (simulation.hasFailed(version))
      goesOn(before, simulation, "a version that cannot start changes nothing of what serves");
  });

const dropBroken = (place: string): Command =>
  step(`drop what cannot be bundled into ${place}`, (_record, simulation) => {
    const before = simulation.serving;
    simulation.dropBroken(place);
    goesOn(before, simulation, "what cannot be bundled changes nothing of what serves");
  });

const remove = (place: string): Command =>
  step(`remove ${place}`, (_record, simulation) => {
    simulation.remove(place);
    if (simulation.folder.size === 0) unchanged({}, simulation, "what was taken away does not answer");
  });

/** A version serves badly: where releases fall back to is what served before, and what an admin wants. */
const fault = (name: string, release: string, happen: (simulation: Simulation) => void): Command =>
  step(`${name} in ${release}`, (record, simulation) => {
    const before = simulation.serving;
    const seen = simulation.fellBack.length;
    happen(simulation);
    const fellBack = simulation.fellBack.slice(seen);
    for (const { release: each, from, to, stoodBy } of fellBack) {
      holds(before[each] === from, `${each} did not answer with ${from}`, simulation);
      holds(from !== to, "a version does not fall back to itself", simulation);
      holds(!record.quarantined.has(to), `${each} fell back to ${to}, which is in quarantine`, simulation);
      holds(!record.leftIn(each).has(to), `${each} fell back to ${to}, which an admin left`, simulation);
      holds(stoodBy === undefined || stoodBy === to, `${each} fell back past what stood by`, simulation);
      holds(
        simulation.serving[each] === to,
        `${each} fell back to ${to} and does not stay there`,
        simulation,
      );
      const { kept } = simulation.rollout;
      const served = kept.find(
        ({ version }) =>
          version !== from &&
          !record.quarantined.has(version) &&
          !record.leftIn(each).has(version) &&
          simulation.knows(version) &&
          semver.satisfies(version, record.releases[each]?.["Sample"] ?? ""),
      );
      const isServed = kept.some(({ version }) => version === to) || record.answered.has(`${each} ${to}`);
      holds(stoodBy !== undefined || served === undefined || isServed, `${to} never served`, simulation);
    }
    const gone = new Set(fellBack.map(({ from }) => from));
    for (const from of gone)
      if (!Object.values(simulation.serving).includes(from)) record.quarantined.add(from);
    if (fellBack.length === 0) goesOn(before, simulation, "without anything to fall back to it goes on");
  });

const crash = (release: string): Command =>
  fault("crash", release, (simulation) => simulation.crash(release));
const failRequests = (release: string): Command =>
  fault("fail at requests", release, (simulation) => simulation.failRequests(release));

const prove = (release: string): Command =>
  step(`prove in ${release}`, (_record, simulation) => {
    const before = simulation.serving;
    simulation.prove(release);
    unchanged(before, simulation, "proving changes nothing");
    const version = before[release];
    if (version !== undefined) holds(!simulation.onTrial.includes(version), "a trial ends", simulation);
  });

const rollback = (release: string | undefined, version: string | undefined): Command =>
  step(`roll back ${release ?? "all"} to ${version ?? "the one before"}`, (record, simulation) => {
    const before = simulation.serving;
    let rollbacks: ReturnType<Simulation["rollback"]>;
    try {
      rollbacks = simulation.rollback({
        ...(release === undefined ? {} : { release }),
        ...(version === undefined ? {} : { version }),
      });
    } catch (error) {
      if (!(error instanceof Error) || error.message.includes("undefined")) throw error;
      return goesOn(before, simulation, `a rollback that is refused changes nothing (${error.message})`);
    }
    for (const { release: each, from, to } of rollbacks) {
      holds(!record.quarantined.has(to), "a rollback lifts no quarantine", simulation);
      holds(simulation.serving[each] === to, `${each} answers with what it was rolled back to`, simulation);
      const left = record.leftIn(each);
      if (version === undefined) holds(!left.has(to), `${to} was left before`, simulation);
      left.delete(to);
      if (from !== undefined && semver.gt(from, to)) left.add(from);
    }
  });

const disable = step("disable", (record, simulation) => {
  simulation.disable();
  record.isDisabled = true;
});

const enable = (version: string | undefined): Command =>
  step(`enable ${version ?? ""}`, (record, simulation) => {
    const wasBad = version !== undefined && record.quarantined.delete(version);
    const before = Object.values(simulation.serving);
    simulation.enable(version);
    record.isDisabled = false;
    const serves = Object.values(simulation.serving);
    if (wasBad && serves.includes(version) && !before.includes(version))
      holds(simulation.onTrial.includes(version), "what was in quarantine has to prove itself", simulation);
  });

const restart = step("restart", (_record, simulation) => {
  const before = simulation.serving;
  const failures = simulation.rollout.failed?.length ?? 0;
  simulation.restart();
  // What a place had before something that cannot be bundled is forgotten when it never answered. And what no release asked for
  // may be tried while others get another chance: if it fails, its place offers again what it had before.
  const isWhole = [...simulation.folder.values()].every((content) => content !== undefined);
  const isTried = (simulation.rollout.failed?.length ?? 0) > failures;
  const check = isWhole && !isTried ? unchanged : goesOn;
  check(before, simulation, "a restart of the host chooses the same");
});

const use = (releases: (typeof releaseSets)[number]): Command =>
  step(`use ${Object.keys(releases)}`, (record, simulation) => {
    simulation.use(releases);
    record.releases = releases;
  });

function unchanged(before: object, simulation: Simulation, message: string): void {
  const same = (of: object): string => JSON.stringify(Object.entries(of).sort());
  holds(
    same(before) === same(simulation.serving),
    `${message}; before ${JSON.stringify(before)}`,
    simulation,
  );
}

/** Where nothing answered, something may. */
function goesOn(before: Readonly<Record<string, string>>, simulation: Simulation, message: string): void {
  for (const [release, version] of Object.entries(before))
    holds(
      simulation.serving[release] === version,
      `${message}; before ${JSON.stringify(before)}`,
      simulation,
    );
}

const place = fc.constantFrom(...places);
const release = fc.constantFrom(...allReleases);
const version = fc.constantFrom(...pool.map((content) => content.version));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const often = fc.tuple(place, fc.constantFrom(...pool)).map(([where, what]) => drop(where, what));
const commands = fc.commands(
  [
    often,
    often,
    often,
    place.map(dropBroken),
    place.map(remove),
    release.map(crash),
    release.map(crash),
    release.map(failRequests),
    release.map(prove),
    release.map(prove),
    fc.tuple(optional(release), optional(version)).map(([where, to]) => rollback(where, to)),
    fc.tuple(optional(release), optional(version)).map(([where, to]) => rollback(where, to)),
    fc.constant(disable),
    optional(version).map(enable),
    fc.constant(restart),
    fc.constantFrom(...releaseSets).map(use),
  ],
  { maxCommands: 24, size: "max" },
);

t.test("what holds for any sequence", async (t) => {
  let run = 0;
  let steps = 0;
  const { user: began } = process.cpuUsage();
  const property = fc.property(fc.constantFrom(...releaseSets), commands, (releases, all) => {
    run += 1;
    steps += [...all].length;
    fc.modelRun(() => ({ model: new Observed(releases), real: new Simulation(byVersion, releases) }), all);
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: sequences, seed }));
  t.ok(run >= sequences);
  t.comment(
    `seed ${seed}: ${run} sequences, ${steps} steps, ${Math.round((process.cpuUsage().user - began) / 1000)} ms of processor time`,
  );
});

t.test("what holds for sequences that are easily missed", async (t) => {
  const put = (version: string, where: string): Command => {
    const content = byVersion.get(version);
    if (content === undefined) throw new Error(version);
    return drop(where, content);
  };
  const [all = {}, lower = {}] = releaseSets;
  const replacedButNotLeft = [
    ...[put("1.2.0", "a"), put("1.0.1", "a"), put("1.1.0", "a"), rollback(undefined, undefined)],
    ...[crash("one"), crash("one"), put("1.0.0", "a"), crash("one")],
  ];
  const standbyServesBadlyElsewhere = [
    ...[put("1.0.1", "a"), put("1.0.0", "c"), crash("one"), crash("one")],
    ...[put("1.1.0", "b"), crash("two"), failRequests("one")],
  ];
  for (const [releases, sequence, to] of [
    [all, replacedButNotLeft, "1.2.0"],
    [lower, standbyServesBadlyElsewhere, "1.0.0"],
  ] as const) {
    const real = new Simulation(byVersion, releases);
    t.doesNotThrow(() => fc.modelRun(() => ({ model: new Observed(releases), real }), sequence));
    t.match(real.fellBack.at(-1), { release: "one", to });
  }
});

t.test("hashes of the pool are different", async (t) => {
  t.equal(new Set(pool.map((content) => hashOf(content.version))).size, pool.length);
});
t.test("a quarantine outruns a rollback that has begun", (t) => {
  const snapshot = { name: "Sample", aliases: [], version: "1.0.0", hash: "all", sourceHash: "own" };
  const made = [{ to: { snapshot, source: "a" } }];
  const unfit = { at: "2026-11-01T00:00:00.000Z", reason: "It crashed." };
  for (const hash of [snapshot.hash, snapshot.sourceHash]) {
    const rollout = { pins: {}, kept: [], quarantined: [{ version: "1.0.0", hash, ...unfit }] };
    t.throws(() => requirePossible(rollout, made, { plugin: "Sample" }), {
      code: 409,
      message: /Sample 1\.0\.0 is in quarantine: It crashed\./,
    });
  }
  const other = [{ version: "1.0.1", hash: "another", ...unfit }];
  requirePossible({ pins: {}, kept: [], quarantined: other }, made, { plugin: "Sample" });
  t.end();
});

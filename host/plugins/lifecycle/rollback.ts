import semver from "semver";
import type { Journal } from "../events/plugin-event.js";
import type { Rollback, RollbackRequest } from "../plugin-administration.js";
import type { Release } from "../releases.js";
import type { Candidate } from "./candidate.js";
import { conflict, missing, throwFailed } from "./order-errors.js";
import type { PluginLine } from "./plugin-line.js";
import type { RememberedStanding } from "./remembered-standing.js";
import { pinnedFor } from "./standing.js";

interface Plan {
  release: Release;
  from: Candidate | undefined;
  to: Candidate;
}

/**
 * Has releases answer with an earlier version, or with the one that is asked for, until a content comes that was not
 * there yet. 404 `request-not-found`, 409 `plugin-conflict`; then everything stays as it was.
 */
export async function rollBack(
  line: PluginLine,
  standing: RememberedStanding,
  request: RollbackRequest,
  journal: Journal,
): Promise<Rollback[]> {
  const ready = line.inTurn(async () => {
    if (standing.current.disabled !== undefined)
      throw conflict(`${request.plugin} is disabled; enable it first.`);
    const made = plans(line, standing, request);
    for (const { to } of made) {
      const reason = await line.bringUp(to);
      if (reason !== undefined)
        throw conflict(`${to.snapshot.name} ${to.snapshot.version} does not come up: ${reason}`);
    }
    const saved = made.flatMap((each) => [
      standing.pardon(each.to),
      standing.pin(each.release.name, pinOf(line, each, request.actor)),
    ]);
    return { made, saved: Promise.allSettled(saved) };
  });
  // Also what has come up for nothing has to end.
  const [result] = await Promise.allSettled([
    ready,
    ready.then(undefined, () => undefined).then(() => line.settle()),
  ]);
  if (result.status === "rejected") throw result.reason;
  const { made, saved } = result.value;
  const rollbacks = made.map(({ release, from, to }) => {
    const { name: plugin, version, hash } = to.snapshot;
    const rollback = { release: release.name, from: from?.snapshot.version, to: version };
    journal.note({
      kind: "rollback",
      plugin,
      version,
      hash,
      release: release.name,
      ...(from === undefined ? {} : { from: from.snapshot.version }),
      to: version,
      actor: request.actor,
    });
    return rollback;
  });
  throwFailed(await saved);
  return rollbacks;
}

/** Without a release, of those that can go back; throws when there is none. */
function plans(line: PluginLine, standing: RememberedStanding, request: RollbackRequest): Plan[] {
  const made: Plan[] = [];
  const refusals: unknown[] = [];
  for (const release of releasesOf(line, request)) {
    try {
      made.push(plan(line, standing, release, request));
    } catch (error) {
      refusals.push(error);
    }
  }
  if (made.length === 0) throw refusals[0];
  return made;
}

function releasesOf(line: PluginLine, { plugin, release }: RollbackRequest): Release[] {
  if (release !== undefined) {
    const found = line.choice.release(release);
    if (found === undefined) {
      const releases = line.choice.all.map(({ name }) => name);
      throw missing(`There is no release "${release.slice(0, 80)}".`, { releases });
    }
    return [found];
  }
  const serving = line.choice.all.filter(({ name }) => line.serving(name) !== undefined);
  if (serving.length === 0) throw conflict(`${plugin} serves under no release.`);
  return serving;
}

function plan(
  line: PluginLine,
  standing: RememberedStanding,
  release: Release,
  { plugin, version }: RollbackRequest,
): Plan {
  const from = line.serving(release.name)?.candidate;
  const fitting = line.choice.fitting(release);
  if (version !== undefined) {
    const to = fitting.find(({ snapshot }) => snapshot.version === version);
    if (to !== undefined) return { release, from, to };
    const there = [...new Set(fitting.map(({ snapshot }) => snapshot.version))];
    throw missing(
      `Release ${release.name} could take ${plugin} in ${there.join(", ") || "no version"}, but not "${version.slice(0, 80)}".`,
    );
  }
  const { kept, quarantined } = standing.current;
  const unwanted = [
    ...quarantined.map(({ hash }) => hash),
    ...(pinnedFor(standing.current, release.name)?.over ?? []),
  ];
  const before = kept.filter(({ hash }) => hash !== from?.snapshot.hash && !unwanted.includes(hash));
  const to = before
    .map(({ hash }) => fitting.find(({ snapshot }) => snapshot.hash === hash))
    .find((each) => each !== undefined);
  if (to === undefined)
    throw conflict(`There is no version of ${plugin} that served release ${release.name} before.`);
  return { release, from, to };
}

/** What is preferred to all that would be chosen instead. */
function pinOf(line: PluginLine, { release, from, to }: Plan, actor: string) {
  const { version, hash } = to.snapshot;
  const others = [...line.choice.fitting(release), ...(from === undefined ? [] : [from])].filter(
    ({ snapshot }) => snapshot.hash !== hash && semver.gte(snapshot.version, version),
  );
  return { version, hash, over: [...new Set(others.map(({ snapshot }) => snapshot.hash))], actor };
}

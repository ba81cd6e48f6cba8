/** Orders of admins for one plugin: rollback, disable, enable. */
import semver from "semver";
import type { PluginGrants } from "../../configuration/plugin-grants.js";
import type { EventFacts, Journal } from "../../observability/events/plugin-event.js";
import { fullStop } from "../../system/errors.js";
import {
  type AgreementReport,
  conflict,
  missing,
  type Pin,
  type Rollback,
  type RollbackRequest,
  type RolledBack,
  throwFailed,
} from "../administration/administration.js";
import { grantsText } from "../permissions/permissions.js";
import type { Release } from "../releases.js";
import type { PluginDeployment } from "./plugin-deployment.js";
import {
  isAmong,
  isNamed,
  isQuarantined,
  leftIn,
  type MemoryChange,
  type PluginsMemory,
  quarantineOf,
  type RolloutState,
  rolloutOf,
} from "./plugins-memory.js";
import * as transitions from "./rollout.js";
import { type Available, type Candidate, fitting, type PluginVersion, preferredTo } from "./selection.js";

interface FleetOrder {
  transition: MemoryChange;
  /** Versions that must start. */
  demanded?: readonly Candidate[];
  /** Also while another switch is under way. */
  supersedes?: boolean;
}

/** Orders of admins in a fleet. */
export interface FleetOrders {
  /**
   * Puts a transition into force on all hosts. Rejects with 409 `plugin-conflict` when they do not agree, and changes nothing.
   */
  order(deployment: PluginDeployment, order: FleetOrder): Promise<AgreementReport>;
}

/** The parts that an order uses. */
export interface OrderParts {
  deployment: PluginDeployment;
  journal: Journal;
  /** Undefined on a host by itself. */
  fleet: FleetOrders | undefined;
}

/** Takes a plugin out of service, also after a restart. */
export async function disable(parts: OrderParts, actor: string): Promise<AgreementReport | undefined> {
  const { name } = parts.deployment;
  return await putIntoForce(
    parts,
    { transition: (memory, at) => transitions.disable(memory, name, actor, at), supersedes: true },
    { kind: "disable", plugin: name, actor },
  );
}

/**
 * Ends `disable` and lets failed contents be tried again; with a version only that one, even from quarantine. Rejects with 404
 * `request-not-found` for an unknown version.
 */
export async function enable(
  parts: OrderParts,
  actor: string,
  version: string | undefined,
): Promise<AgreementReport | undefined> {
  const { name, candidates } = parts.deployment;
  if (version !== undefined && !candidates.knows(version))
    throw missing(`There is no version "${version.slice(0, 80)}" of ${name}.`);
  return await putIntoForce(
    parts,
    { transition: (memory) => transitions.enable(memory, name, version) },
    { kind: "enable", plugin: name, actor, ...(version === undefined ? {} : { version }) },
    candidates.clearAllFailures(version),
  );
}

/** Sets what admins grant a plugin; versions that waited for it go live. */
export async function grant(
  parts: OrderParts,
  actor: string,
  grants: PluginGrants,
): Promise<AgreementReport | undefined> {
  const { name } = parts.deployment;
  return await putIntoForce(
    parts,
    { transition: (memory) => transitions.grant(memory, name, grants) },
    { kind: "grant", plugin: name, actor, reason: grantsText(grants) },
  );
}

/** On all hosts of a fleet. `before` is in force already, and being written. */
async function putIntoForce(
  { deployment, journal, fleet }: OrderParts,
  order: FleetOrder,
  event: EventFacts,
  before: Promise<void> = Promise.resolve(),
): Promise<AgreementReport | undefined> {
  if (fleet !== undefined) {
    await before;
    const agreed = await fleet.order(deployment, order);
    journal.note(event);
    return agreed;
  }
  const saved = deployment.rollout.change(order.transition);
  const over = Promise.allSettled([saved, before, deployment.reconcile()]);
  journal.note(event);
  throwFailed(await over);
  return undefined;
}

/** The rollback of one release. */
interface Plan<C extends PluginVersion> {
  release: Release;
  from: C | undefined;
  to: C;
}

/** The state that a rollback is planned with. */
interface Situation<C extends PluginVersion> {
  releases: readonly Release[];
  serving(release: string): C | undefined;
  available: Available<C>;
  rollout: RolloutState;
}

/**
 * Rolls releases back to an earlier version or to the requested one, until new content arrives. Rejects with 404
 * `request-not-found` or 409 `plugin-conflict` and changes nothing.
 */
export async function rollBack(
  { deployment, journal, fleet }: OrderParts,
  asked: RollbackRequest,
): Promise<RolledBack> {
  const { rollout } = deployment;
  const request = { ...asked, plugin: deployment.name };
  if (fleet !== undefined) {
    const now = situation(deployment);
    const made = plans(now, request);
    // Runs again if another host has made a switch meanwhile.
    const transition: MemoryChange = (memory, at) => {
      requirePossible(rolloutOf(memory, request.plugin), made, request);
      return made.reduce((before, plan) => pinned(before, plan, now, request, at), memory);
    };
    const demanded = made.map(({ to }) => to);
    const agreed = await fleet.order(deployment, { transition, demanded });
    return { rollbacks: noted(made, request, journal), agreed };
  }
  const ready = deployment.runExclusive(async () => {
    const made = plans(situation(deployment), request);
    for (const { to } of made) {
      const reason = await deployment.ensureRunning(to);
      if (reason !== undefined)
        throw conflict(`${to.snapshot.name} ${to.snapshot.version} does not start: ${fullStop(reason)}`);
    }
    requirePossible(rollout.current, made, request);
    const now = situation(deployment);
    const saved = made.map((plan) => rollout.change((memory, at) => pinned(memory, plan, now, request, at)));
    return { made, saved: Promise.allSettled(saved) };
  });
  // Stops a version that was started but is not needed.
  const [result] = await Promise.allSettled([
    ready,
    ready.then(undefined, () => undefined).then(() => deployment.reconcile()),
  ]);
  if (result.status === "rejected") throw result.reason;
  const { made, saved } = result.value;
  const rollbacks = noted(made, request, journal);
  throwFailed(await saved);
  return { rollbacks, agreed: undefined };
}

/** A quarantine of the version and an order to disable the plugin take precedence, even if they are newer than the request. */
export function requirePossible<C extends PluginVersion>(
  rollout: RolloutState,
  made: readonly Pick<Plan<C>, "to">[],
  { plugin }: Pick<RollbackRequest, "plugin">,
): void {
  if (rollout.disabled !== undefined) throw disabled(plugin);
  for (const { to } of made) {
    const bad = quarantineOf(rollout, to.snapshot);
    if (bad !== undefined) throw inQuarantine(plugin, to.snapshot.version, bad.reason);
  }
}

/** What is remembered of a plan. */
function pinned<C extends PluginVersion>(
  memory: PluginsMemory,
  plan: Plan<C>,
  now: Situation<C>,
  { plugin, actor }: RollbackRequest,
  at: string,
): PluginsMemory {
  const pin = { ...pinOf(plan, now, actor), at };
  return transitions.rollBack(memory, plugin, plan.release.name, pin, leftBy(plan));
}

function noted<C extends PluginVersion>(
  made: readonly Plan<C>[],
  request: RollbackRequest,
  journal: Journal,
): Rollback[] {
  return made.map(({ release, from, to }) => {
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
}

function situation(deployment: PluginDeployment) {
  const { candidates, rollout } = deployment;
  return {
    releases: candidates.releases,
    serving: (release: string) => deployment.serving(release)?.candidate,
    available: candidates.available(),
    rollout: rollout.current,
  };
}

/** Without a release in the request, plans every release that can go back; throws if none can. */
export function plans<C extends PluginVersion>(situation: Situation<C>, request: RollbackRequest): Plan<C>[] {
  if (situation.rollout.disabled !== undefined) throw disabled(request.plugin);
  const made: Plan<C>[] = [];
  const refusals: unknown[] = [];
  for (const release of releasesOf(situation, request)) {
    try {
      made.push(plan(situation, release, request));
    } catch (error) {
      refusals.push(error);
    }
  }
  if (made.length === 0) throw refusals[0];
  return made;
}

/** A pin to the target that takes precedence over every version the release would choose instead. */
export function pinOf<C extends PluginVersion>(
  { release, from, to }: Plan<C>,
  { available, rollout }: Situation<C>,
  actor: string,
): Omit<Pin, "at"> {
  const { version, sourceHash: hash } = to.snapshot;
  return { version, hash, over: preferredTo(release, to, from, available, rollout), actor };
}

/** Source hash of the content that an admin rolls back from; undefined when no other version served, or a lower one. */
export function leftBy<C extends PluginVersion>({ from, to }: Plan<C>): string | undefined {
  if (from === undefined || from.snapshot.sourceHash === to.snapshot.sourceHash) return undefined;
  return semver.gte(from.snapshot.version, to.snapshot.version) ? from.snapshot.sourceHash : undefined;
}

function releasesOf<C extends PluginVersion>(
  { releases, serving }: Situation<C>,
  { plugin, release }: RollbackRequest,
): Release[] {
  if (release !== undefined) {
    const found = releases.find(({ name }) => name === release);
    if (found !== undefined) return [found];
    const names = releases.map(({ name }) => name);
    throw missing(`There is no release "${release.slice(0, 80)}"; there are ${names.join(", ")}.`, {
      releases: names,
    });
  }
  const answering = releases.filter(({ name }) => serving(name) !== undefined);
  if (answering.length === 0)
    throw conflict(`No release uses the plugin ${plugin}, so there is nothing to roll back.`);
  return answering;
}

function plan<C extends PluginVersion>(
  { serving, available, rollout }: Situation<C>,
  release: Release,
  { plugin, version }: RollbackRequest,
): Plan<C> {
  const { kept, quarantined } = rollout;
  const from = serving(release.name);
  const candidates = fitting(release, available, rollout);
  const isBad = ({ snapshot }: C): boolean => isQuarantined(rollout, snapshot);
  if (version !== undefined) {
    const named = candidates.filter(({ snapshot }) => snapshot.version === version);
    const to = named.find((each) => !isBad(each));
    if (to !== undefined) return { release, from, to };
    const bad = quarantined.find(({ hash }) => named.some(({ snapshot }) => isNamed(hash, snapshot)));
    if (bad !== undefined) throw inQuarantine(plugin, version, bad.reason);
    const there = [...new Set(candidates.map(({ snapshot }) => snapshot.version))];
    throw missing(
      `Release ${release.name} cannot use the version "${version.slice(0, 80)}" of ${plugin}; it can use ${there.join(", ") || "none"}.`,
    );
  }
  const unwanted = leftIn(rollout, release.name);
  const to = kept
    .flatMap(({ hash }) => candidates.find(({ snapshot }) => isNamed(hash, snapshot)) ?? [])
    .find(
      (each) =>
        each.snapshot.sourceHash !== from?.snapshot.sourceHash &&
        !isBad(each) &&
        !isAmong(unwanted, each.snapshot),
    );
  if (to === undefined)
    throw conflict(`Release ${release.name} has had no other version of the plugin ${plugin} to go back to.`);
  return { release, from, to };
}

function disabled(plugin: string): Error {
  return conflict(`The plugin ${plugin} is disabled. Enable it first.`);
}

/** Only `enable` lifts a quarantine; a rollback never does so implicitly. */
function inQuarantine(plugin: string, version: string, reason: string): Error {
  return conflict(
    `${plugin} ${version} is in quarantine: ${reason} "slipway plugin enable ${plugin} --version ${version}" gives it another chance; then you can go back to it.`,
  );
}

import { isDeepStrictEqual } from "node:util";
import type { Log, RequestError, TSchema } from "@slipway/sdk";
import semver from "semver";
import type { Journal } from "../../observability/events/plugin-event.js";
import { errorMessage, fullStop } from "../../system/errors.js";
import { conflict } from "../administration/administration.js";
import type { ConfigurationRequest, PluginConfigurations, Settings } from "../configuration/configuration.js";
import type { PreparedInstance } from "../instances/instances.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import type { PluginDeployment } from "./plugin-deployment.js";
import type { RunningVersion } from "./running-versions.js";

/** A version whose schema is known. */
interface Described {
  snapshot: Snapshot;
  schema: TSchema;
}

/** The parts that a change uses. */
interface ConfigurationParts {
  deployment: PluginDeployment;
  configurations: PluginConfigurations;
  journal: Journal;
  log: Log;
}

/**
 * The version whose configuration is shown and changed: the one that serves, or else the highest whose last start has
 * reported its schema. Throws 409 `plugin-conflict` without one.
 */
export function describedVersion({
  deployment,
  configurations,
}: Pick<ConfigurationParts, "deployment" | "configurations">): Described {
  const [found] = described(configurations, [
    ...deployment.live.map(({ snapshot }) => snapshot),
    ...[...deployment.fit, ...deployment.candidates.present()]
      .map(({ snapshot }) => snapshot)
      .sort((one, other) => semver.rcompare(one.version, other.version)),
  ]);
  if (found !== undefined) return found;
  throw conflict(
    `No version of the plugin ${deployment.name} has started since the host started, so the host does not know what it can be configured with.`,
  );
}

/**
 * Saves changes of a plugin's configuration once every live version has started with them beside its running instance,
 * which then hands over. Without a live version, those that releases ask for are started. Otherwise nothing changes;
 * rejects with 400 `request-bad-request`, 409 `plugin-conflict` for another revision, a disabled plugin or a failed
 * start, and 503 `request-overloaded` if the disk does not take it. Returns the names of the changed members.
 */
export async function configure(
  parts: ConfigurationParts,
  { revision, configuration, actor }: ConfigurationRequest,
): Promise<string[]> {
  const { deployment, configurations, journal } = parts;
  const { name: plugin, rollout } = deployment;
  const taken = deployment.runExclusive(async () => {
    const saved = configurations.saved(plugin);
    if (revision !== saved.revision) throw outdated(plugin, revision, saved.revision);
    if (rollout.current.disabled !== undefined)
      throw conflict(`The plugin ${plugin} is disabled. Enable it first.`);
    const live = deployment.live.map(({ snapshot }) => snapshot);
    const versions = live.length > 0 ? described(configurations, live) : [describedVersion(parts)];
    const schemas = versions.map(({ schema }) => schema);
    const changes = configurations.changed(plugin, configuration, schemas);
    for (const { snapshot, schema } of versions) configurations.check(snapshot, schema, changes);
    const save = (): Promise<void> =>
      configurations.save(plugin, { revision: revision + 1, configuration: { ...changes } });
    const start = live.length > 0 ? handOver : startChosen;
    await configurations
      .trying(plugin, changes, () => start(parts, save))
      .catch((error: unknown) => {
        if (!(error instanceof FailedStart)) throw error;
        const reason = configurations.withoutSecrets(error.message, changes, schemas);
        throw conflict(`The plugin ${plugin} does not start with this configuration: ${fullStop(reason)}`);
      });
    // Versions that failed may start now.
    await deployment.candidates.clearAllFailures(undefined);
    const names = changedMembers(saved.configuration, changes);
    const reason = names.length === 0 ? "Saved without a change." : `Changed: ${names.join(", ")}.`;
    journal.note({ kind: "configuration", plugin, to: "in force", reason, actor });
    return names;
  });
  // Also after a failure: stops a version that was started but is not needed.
  const [result] = await Promise.allSettled([
    taken,
    taken.then(undefined, () => undefined).then(() => deployment.reconcile()),
  ]);
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

/** The reason why a version does not start; it may contain secrets. */
class FailedStart extends Error {}

/**
 * Starts an instance of each version beside the running one; they take over once `save` has succeeded. A version that
 * only stands by and does not start keeps its configuration. Rejects with a `FailedStart`.
 */
async function handOver({ deployment, log }: ConfigurationParts, save: () => Promise<void>): Promise<void> {
  const { live, fit } = deployment;
  const prepared: PreparedInstance[] = [];
  const prepare = async ({ plugin }: RunningVersion): Promise<void> => {
    prepared.push(await plugin.prepare());
  };
  const idle = fit.filter((version) => !live.includes(version));
  const starts = await Promise.allSettled(live.map(prepare));
  try {
    const failed = starts.find((start) => start.status === "rejected");
    if (failed !== undefined) throw new FailedStart(errorMessage(failed.reason));
    for (const version of idle)
      await prepare(version).catch(() => {
        // The reason may contain secrets.
        const { name, version: number } = version.snapshot;
        log.warn("A version that stands by keeps its configuration: it does not start with the new one", {
          plugin: `${name}@${number}`,
        });
      });
    if (prepared.some(({ isLost }) => isLost)) throw new FailedStart("Its process ended.");
    await save();
  } catch (error) {
    for (const instance of prepared) instance.discard();
    throw error;
  }
  for (const instance of prepared) instance.take();
  deployment.republish();
}

/** Starts the versions that releases ask for. Rejects with a `FailedStart`. */
async function startChosen({ deployment }: ConfigurationParts, save: () => Promise<void>): Promise<void> {
  const candidates = await deployment.chosen();
  try {
    if (candidates.length === 0) throw new FailedStart("No release asks for it.");
    for (const candidate of candidates) {
      const reason = await deployment.ensureRunning(candidate);
      if (reason !== undefined) throw new FailedStart(reason);
    }
    await save();
  } catch (error) {
    for (const candidate of candidates) deployment.abandon(candidate);
    // The reasons are those of the configuration that was tried; the saved one is tried again.
    await deployment.candidates.clearAllFailures(undefined);
    throw error;
  }
}

function outdated(plugin: string, given: number, saved: number): RequestError {
  return conflict(
    `The configuration of the plugin ${plugin} has changed in the meantime: revision ${saved} is saved, but the change was made from revision ${given}. Read it again.`,
  );
}

function described(configurations: PluginConfigurations, snapshots: readonly Snapshot[]): Described[] {
  return snapshots.flatMap((snapshot) => {
    const schema = configurations.schemaOf(snapshot);
    return schema === undefined ? [] : [{ snapshot, schema }];
  });
}

/** Names of members that differ; never their values, which may be secrets. */
function changedMembers(before: Settings, after: Settings): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

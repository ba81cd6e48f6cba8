import type { Log } from "@slipway/sdk";
import type { Journal } from "../../observability/events/plugin-event.js";
import { pluginNotFound } from "../../system/request-errors.js";
import type { ConfigurationRequest, PluginConfiguration } from "../configuration/plugin-configuration.js";
import type { PluginConfigurations } from "../configuration/plugin-configurations.js";
import type { PluginState } from "../plugin-state.js";
import { configure, describedVersion } from "./configure.js";
import {
  missing,
  type PluginOverview,
  type Rollback,
  type RollbackRequest,
  throwFailed,
} from "./plugin-administration.js";
import type { PluginDeployment } from "./plugin-deployment.js";
import type { PluginDeployments } from "./plugin-deployments.js";
import { rollBack } from "./rollback.js";
import { disable, enable } from "./rollout.js";
import type { RememberedRollout } from "./state-file.js";

/** Admin operations on single plugins. */
export class DeploymentAdministration {
  constructor(
    private readonly deployments: PluginDeployments,
    private readonly rolloutOf: (name: string) => RememberedRollout,
    private readonly states: () => PluginState[],
    private readonly configurations: PluginConfigurations,
    private readonly journal: Journal,
    private readonly log: Log,
  ) {}

  overview(plugin: string): PluginOverview | undefined {
    const found = this.deployments.find(plugin);
    if (found === undefined) return undefined;
    const { name, deployment } = found;
    const { disabled, kept, quarantined, pins } = this.rolloutOf(name).current;
    return {
      name,
      aliases: [...new Set(deployment.aliases)],
      disabled: disabled !== undefined,
      releases: deployment.servedReleases,
      versions: this.states().filter((state) => state.name === name),
      kept,
      quarantined,
      pins,
    };
  }

  async rollback(request: RollbackRequest): Promise<Rollback[]> {
    const { name, deployment } = this.existing(request.plugin);
    return await rollBack(deployment, this.rolloutOf(name), { ...request, plugin: name }, this.journal);
  }

  async disable(plugin: string, actor: string): Promise<void> {
    const { name, deployment } = this.existing(plugin);
    const saved = this.rolloutOf(name).change((memory, at) => disable(memory, name, actor, at));
    const over = Promise.allSettled([saved, deployment.reconcile()]);
    this.journal.note({ kind: "disable", plugin: name, actor });
    throwFailed(await over);
  }

  async enable(plugin: string, actor: string, version?: string): Promise<void> {
    const { name, deployment } = this.existing(plugin);
    if (version !== undefined && !deployment.selection.knows(version))
      throw missing(`There is no version "${version.slice(0, 80)}" of ${name}.`);
    const saved = this.rolloutOf(name).change((memory) => enable(memory, name, version));
    const forgiven = deployment.selection.clearAllFailures(version);
    const over = Promise.allSettled([saved, forgiven, deployment.reconcile()]);
    this.journal.note({ kind: "enable", plugin: name, actor, ...(version === undefined ? {} : { version }) });
    throwFailed(await over);
  }

  configuration(plugin: string): PluginConfiguration {
    const { name, deployment } = this.existing(plugin);
    const { configurations } = this;
    const { snapshot, schema } = describedVersion({ deployment, configurations }, name);
    return configurations.shown(snapshot, schema);
  }

  async configure(request: ConfigurationRequest): Promise<string[]> {
    const { name, deployment } = this.existing(request.plugin);
    const { configurations, journal, log } = this;
    const rollout = this.rolloutOf(name);
    return await configure(
      { deployment, configurations, rollout, journal, log },
      { ...request, plugin: name },
    );
  }

  private existing(plugin: string): { name: string; deployment: PluginDeployment } {
    const found = this.deployments.find(plugin);
    if (found !== undefined) return found;
    throw pluginNotFound(plugin, this.deployments.names);
  }
}

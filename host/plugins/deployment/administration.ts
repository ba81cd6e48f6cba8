import type { Log } from "@slipway/sdk";
import type { Journal } from "../../observability/events/plugin-event.js";
import { pluginNotFound } from "../../system/request-errors.js";
import type { ConfigurationRequest, PluginConfiguration } from "../configuration/plugin-configuration.js";
import type { PluginConfigurations } from "../configuration/plugin-configurations.js";
import type { PluginState } from "../plugin-state.js";
import { configure, describedVersion } from "./configure.js";
import {
  type Agreed,
  missing,
  type PluginOverview,
  type RollbackRequest,
  type RolledBack,
  throwFailed,
} from "./plugin-administration.js";
import type { PluginDeployment } from "./plugin-deployment.js";
import type { PluginDeployments } from "./plugin-deployments.js";
import { type FleetOrders, rollBack } from "./rollback.js";
import { disable, enable } from "./rollout.js";
import type { RememberedRollout, Transition } from "./state-file.js";

/** Admin operations on single plugins. */
export class DeploymentAdministration {
  constructor(
    private readonly deployments: PluginDeployments,
    private readonly rolloutOf: (name: string) => RememberedRollout,
    private readonly states: () => PluginState[],
    private readonly configurations: PluginConfigurations,
    private readonly journal: Journal,
    private readonly log: Log,
    private readonly fleet: FleetOrders | undefined,
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

  async rollback(request: RollbackRequest): Promise<RolledBack> {
    const { name, deployment } = this.existing(request.plugin);
    const { fleet, journal } = this;
    return await rollBack(deployment, this.rolloutOf(name), { ...request, plugin: name }, journal, fleet);
  }

  async disable(plugin: string, actor: string): Promise<Agreed | undefined> {
    const { name, deployment } = this.existing(plugin);
    if (this.fleet !== undefined) {
      const transition: Transition = (memory, at) => disable(memory, name, actor, at);
      const agreed = await this.fleet.order(deployment, name, { transition, supersedes: true });
      this.journal.note({ kind: "disable", plugin: name, actor });
      return agreed;
    }
    const saved = this.rolloutOf(name).change((memory, at) => disable(memory, name, actor, at));
    const over = Promise.allSettled([saved, deployment.reconcile()]);
    this.journal.note({ kind: "disable", plugin: name, actor });
    throwFailed(await over);
    return undefined;
  }

  async enable(plugin: string, actor: string, version?: string): Promise<Agreed | undefined> {
    const { name, deployment } = this.existing(plugin);
    if (version !== undefined && !deployment.selection.knows(version))
      throw missing(`There is no version "${version.slice(0, 80)}" of ${name}.`);
    const forgiven = deployment.selection.clearAllFailures(version);
    if (this.fleet !== undefined) {
      await forgiven;
      const transition: Transition = (memory) => enable(memory, name, version);
      const agreed = await this.fleet.order(deployment, name, { transition });
      this.noteEnable(name, actor, version);
      return agreed;
    }
    const saved = this.rolloutOf(name).change((memory) => enable(memory, name, version));
    const over = Promise.allSettled([saved, forgiven, deployment.reconcile()]);
    this.noteEnable(name, actor, version);
    throwFailed(await over);
    return undefined;
  }

  private noteEnable(plugin: string, actor: string, version: string | undefined): void {
    this.journal.note({ kind: "enable", plugin, actor, ...(version === undefined ? {} : { version }) });
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

import type { Log } from "@slipway/sdk";
import type { OfferingPlugins } from "@slipway/sdk/runtime/host";
import type { PluginDeployments } from "./deployment/plugin-deployments.js";
import type { Release } from "./releases.js";
import { describeRequirements } from "./requirements.js";
import type { RouteTable } from "./route-table.js";
import { livePlugins, routeTable } from "./route-table.js";

/** The table that requests read. It is never changed, only replaced. */
export class PublishedTable {
  private current: RouteTable;
  /** What was warned of and is still so, by what it is about. */
  private readonly told = { aliases: new Set<string>(), requirements: new Set<string>() };
  /** While plugins come up, what one misses may only not be there yet. */
  private comingUp = true;

  constructor(
    private readonly deployments: PluginDeployments,
    private releases: readonly Release[],
    private defaultRelease: string,
    private readonly log: Log,
  ) {
    this.current = routeTable(releases, defaultRelease, () => []).table;
  }

  get table(): RouteTable {
    return this.current;
  }

  /** Who may offer a service to a request under a release. */
  offering: OfferingPlugins = (release) => {
    const own = release === undefined ? undefined : this.current.releases.get(release);
    return [[...new Set(own?.values() ?? [])], livePlugins(this.current)];
  };

  useReleases(releases: readonly Release[], defaultRelease: string): void {
    this.releases = releases;
    this.defaultRelease = defaultRelease;
    this.publish();
  }

  /** Takes over what the deployments serve now. */
  publish(): void {
    const { table, clashes } = routeTable(this.releases, this.defaultRelease, (release) =>
      this.deployments.serving(release),
    );
    this.current = table;
    const warnings = clashes.map((clash) => ({ ...clash }));
    this.told.aliases = this.warn("An alias is taken by another plugin", warnings, this.told.aliases);
    this.noteRequirements();
  }

  /** Everything that was there at the start has come up, or has not. */
  complete(): void {
    this.comingUp = false;
    this.noteRequirements();
  }

  /** What one version needs of others may have come or gone. */
  private noteRequirements(): void {
    const described = describeRequirements(livePlugins(this.current));
    const warnings: Record<string, unknown>[] = [];
    for (const { plugin, candidate } of this.deployments.all.flatMap((deployment) => deployment.all)) {
      const found = described.get(plugin);
      if (found === undefined) continue;
      candidate.record.update(found);
      const label = `${plugin.name}@${plugin.version}`;
      warnings.push(...found.warnings.map((reason) => ({ plugin: label, reason })));
    }
    if (this.comingUp) return;
    this.told.requirements = this.warn("A plugin misses something", warnings, this.told.requirements);
  }

  /** Once for as long as it is so; gives what is so now. */
  private warn(
    message: string,
    warnings: readonly Record<string, unknown>[],
    told: ReadonlySet<string>,
  ): Set<string> {
    const now = new Map(warnings.map((fields) => [JSON.stringify(fields), fields]));
    for (const [key, fields] of now) if (!told.has(key)) this.log.warn(message, fields);
    return new Set(now.keys());
  }
}

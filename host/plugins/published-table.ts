import type { Log } from "@slipway/sdk";
import type { PluginLines } from "./lifecycle/plugin-lines.js";
import type { RouteTable } from "./live-plugin.js";
import type { Release } from "./releases.js";
import { livePlugins, routeTable } from "./route-table.js";
import type { OfferingPlugins } from "./services/find-service.js";
import { describeRequirements } from "./services/requirements.js";

/** The table that requests read. It is never changed, only replaced. */
export class PublishedTable {
  private current: RouteTable;
  private readonly told = new Set<string>();
  /** While plugins come up, what one misses may only not be there yet. */
  private comingUp = true;

  constructor(
    private readonly lines: PluginLines,
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

  /** Takes over what the lines serve now. */
  publish(): void {
    const { table, clashes } = routeTable(this.releases, this.defaultRelease, (release) =>
      this.lines.serving(release),
    );
    this.current = table;
    for (const clash of clashes) this.warnOnce("An alias is taken by another plugin", { ...clash });
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
    for (const { plugin, candidate } of this.lines.all.flatMap((line) => line.all)) {
      const found = described.get(plugin);
      if (found === undefined) continue;
      candidate.record.learn(found);
      if (this.comingUp) continue;
      const label = `${plugin.name}@${plugin.version}`;
      for (const reason of found.warnings)
        this.warnOnce("A plugin misses something", { plugin: label, reason });
    }
  }

  private warnOnce(message: string, fields: Record<string, unknown>): void {
    const key = JSON.stringify([message, fields]);
    if (this.told.has(key)) return;
    this.told.add(key);
    this.log.warn(message, fields);
  }
}

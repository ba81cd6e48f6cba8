import { pluginNotFound } from "../../request-errors.js";
import type { Journal } from "../events/plugin-event.js";
import type { PluginOverview, Rollback, RollbackRequest } from "../plugin-administration.js";
import type { PluginState } from "../plugin-state.js";
import { missing, throwFailed } from "./order-errors.js";
import type { PluginLine } from "./plugin-line.js";
import type { PluginLines } from "./plugin-lines.js";
import type { RememberedStanding } from "./remembered-standing.js";
import { rollBack } from "./rollback.js";

/** What admins do to single plugins. */
export class LineAdministration {
  constructor(
    private readonly lines: PluginLines,
    private readonly standingOf: (name: string) => RememberedStanding,
    /** Of all plugins. */
    private readonly states: () => PluginState[],
    private readonly journal: Journal,
  ) {}

  overview(plugin: string): PluginOverview | undefined {
    const found = this.lines.find(plugin);
    if (found === undefined) return undefined;
    const { name, line } = found;
    const { disabled, kept, quarantined, pins } = this.standingOf(name).current;
    return {
      name,
      aliases: [...new Set(line.aliases)],
      disabled: disabled !== undefined,
      releases: line.servedReleases,
      versions: this.states().filter((state) => state.name === name),
      kept,
      quarantined,
      pins,
    };
  }

  async rollback(request: RollbackRequest): Promise<Rollback[]> {
    const { name, line } = this.existing(request.plugin);
    return await rollBack(line, this.standingOf(name), { ...request, plugin: name }, this.journal);
  }

  async disable(plugin: string, actor: string): Promise<void> {
    const { name, line } = this.existing(plugin);
    const saved = this.standingOf(name).disable(actor);
    const over = Promise.allSettled([saved, line.settle()]);
    this.journal.note({ kind: "disable", plugin: name, actor });
    throwFailed(await over);
  }

  async enable(plugin: string, actor: string, version?: string): Promise<void> {
    const { name, line } = this.existing(plugin);
    if (version !== undefined && !line.choice.knows(version))
      throw missing(`There is no version "${version.slice(0, 80)}" of ${name}.`);
    const saved = this.standingOf(name).enable(version);
    line.choice.forgiveAll(version);
    const over = Promise.allSettled([saved, line.settle()]);
    this.journal.note({ kind: "enable", plugin: name, actor, ...(version === undefined ? {} : { version }) });
    throwFailed(await over);
  }

  private existing(plugin: string): { name: string; line: PluginLine } {
    const found = this.lines.find(plugin);
    if (found !== undefined) return found;
    throw pluginNotFound(plugin, this.lines.names);
  }
}

import { shownValue } from "@slipway/sdk";
import { Rejection } from "../errors.js";
import type { ArchiveEntry } from "./archive-entry.js";

const mostShown = 5;

/** Finds the folder with the content of an archive, after all entries have been noted. */
export class TopFolder {
  /** Kinds of top entries, by name. */
  private readonly names = new Map<string, ArchiveEntry["kind"]>();
  /** Folders on top with the required file. */
  private readonly holders: string[] = [];
  /** Folders further down with the required file, such as "repository-main/plugin". */
  private readonly deeper: string[] = [];

  /** `required`: the name of the file that makes a folder the content. */
  constructor(private readonly required: string) {}

  note({ path, kind }: Pick<ArchiveEntry, "path" | "kind">): void {
    const [top = "", ...rest] = path.split("/");
    this.names.set(top, rest.length > 0 ? "folder" : kind);
    if (kind !== "file" || rest.at(-1) !== this.required) return;
    if (rest.length === 1) this.holders.push(top);
    else if (!rest.includes("node_modules")) this.deeper.push([top, ...rest.slice(0, -1)].join("/"));
  }

  /**
   * Start of the paths of the content: "" when the required file is on top, else the one folder there, with "/". Throws a
   * `Rejection` that shows what is on top.
   */
  prefix(): string {
    const { names, holders, required } = this;
    if (names.get(required) === "file") return "";
    const [holder, another] = holders;
    if (holder !== undefined && names.size === 1) return `${holder}/`;
    if (another !== undefined)
      throw new Rejection(
        `the archive has a ${required} in each of ${shownNames(holders.map((name) => [name, "folder"]))}; pack each into an archive`,
      );
    if (holder !== undefined) {
      const beside = [...names].filter(([name]) => name !== holder);
      throw new Rejection(
        `the archive has more beside the folder ${shownValue(holder)}: ${shownNames(beside)}; pack that folder alone`,
      );
    }
    throw new Rejection(
      `the archive has no ${required}, neither on top nor in the one folder on top; ${this.found()}`,
    );
  }

  private found(): string {
    const { names, deeper } = this;
    if (names.size === 0) return "it is empty";
    if (deeper.length === 0) return `on top there is ${shownNames([...names])}`;
    const what = deeper.length === 1 ? "pack that folder alone" : "pack one of these folders alone";
    return `there is one in ${shownNames(deeper.map((path) => [path, "folder"]))}; ${what}`;
  }
}

function shownNames(names: readonly (readonly [string, ArchiveEntry["kind"]])[]): string {
  const shown = names
    .slice(0, mostShown)
    .map(([name, kind]) => (kind === "folder" ? `the folder ${shownValue(name)}` : shownValue(name)));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

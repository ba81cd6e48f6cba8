/** Codes of manufacturers and series (OEX reference, sections 7 and 20), which are shorter than many ids. */
import {
  isPosition,
  type PositionItem,
  type ProjectDocument,
  type Suppression,
  walkItems,
} from "@slipway/sdk";
import type { ExportSettings } from "../configuration/plugin-settings.js";
import type { FieldRepairs } from "../repair/repairs.js";
import { distinctCodes, type IdCode, missingCode } from "./distinct-codes.js";

type CodeSettings = Pick<ExportSettings, "manufacturerCodes" | "seriesCodes">;

/** An id whose code a receiver cannot guess. */
interface DigestCode {
  manufacturerId: string;
  seriesId?: string;
  code: string;
}

const listedCodes = 100;
const shownCodes = 5;

/**
 * The codes of all manufacturers and series of a project; configured codes take precedence. Includes items that the
 * export leaves out, so that the exports of its manufacturers agree. Create one per export.
 */
export class VendorCodes {
  private readonly manufacturers: ReadonlyMap<string, IdCode>;
  /** By manufacturer code: two ids with the same code share their series. */
  private readonly series = new Map<string, ReadonlyMap<string, IdCode>>();
  private readonly mapped: { manufacturers: Map<string, string>; series: Map<string, Map<string, string>> };
  /** The digest codes written so far, by the ids that they replace. */
  private readonly digests = new Map<string, DigestCode>();

  constructor(project: ProjectDocument, settings: CodeSettings) {
    this.mapped = {
      manufacturers: trimmed(settings.manufacturerCodes),
      series: new Map(Object.entries(settings.seriesCodes).map(([id, codes]) => [id.trim(), trimmed(codes)])),
    };
    const ids = idsOf(project);
    const isUnmapped = (id: string): boolean => id !== "" && !this.mapped.manufacturers.has(id);
    const unmapped = new Set([...ids.keys()].filter(isUnmapped));
    this.manufacturers = distinctCodes(unmapped, this.mapped.manufacturers.values());
    const groups = new Map<string, { ids: Set<string>; reserved: Set<string> }>();
    for (const manufacturer of new Set([...ids.keys(), ...this.mapped.manufacturers.keys()])) {
      const group = groups.get(this.manufacturerCode(manufacturer).code) ?? {
        ids: new Set(),
        reserved: new Set(),
      };
      groups.set(this.manufacturerCode(manufacturer).code, group);
      const codes = this.mapped.series.get(manufacturer);
      for (const code of codes?.values() ?? []) group.reserved.add(code);
      for (const id of ids.get(manufacturer) ?? []) if (!codes?.has(id)) group.ids.add(id);
    }
    for (const [code, group] of groups) this.series.set(code, distinctCodes(group.ids, group.reserved));
  }

  /** The code of an item's manufacturer; undefined if the item has none. */
  manufacturer(item: PositionItem, repairs: FieldRepairs): string | undefined {
    const { manufacturerId } = trimmedIds(item);
    if (manufacturerId === "") return undefined;
    return this.written(this.manufacturerCode(manufacturerId), { manufacturerId }, repairs);
  }

  /** The code of an item's series; undefined if the item has none. */
  seriesOf(item: PositionItem, repairs: FieldRepairs): string | undefined {
    const { manufacturerId, seriesId } = trimmedIds(item);
    if (seriesId === "") return undefined;
    const mapped = this.mapped.series.get(manufacturerId)?.get(seriesId);
    if (mapped !== undefined) return mapped;
    const codes = this.series.get(this.manufacturerCode(manufacturerId).code);
    return this.written(codes?.get(seriesId), { manufacturerId, seriesId }, repairs);
  }

  /** Call once at the end: reports the ids that were written with digest codes. */
  report(suppress: (suppression: Suppression) => void): void {
    const codes = [...this.digests.values()];
    if (codes.length === 0) return;
    const shown = codes.slice(0, shownCodes).map(described).join(", ");
    suppress({
      id: "manufacturer-code-shortened",
      scope: "WARN",
      message: `These manufacturers and series have made-up codes, because four characters do not distinguish them: ${shown}${codes.length > shownCodes ? ", …" : ""}. The settings manufacturerCodes and seriesCodes give them others.`,
      additionalInformation: { count: codes.length, codes: codes.slice(0, listedCodes) },
    });
  }

  private manufacturerCode(id: string): IdCode {
    const mapped = this.mapped.manufacturers.get(id);
    if (mapped !== undefined) return { code: mapped, kind: "own" };
    return this.manufacturers.get(id) ?? { code: missingCode, kind: "own" };
  }

  private written(
    found: IdCode | undefined,
    ids: { manufacturerId: string; seriesId?: string },
    repairs: FieldRepairs,
  ): string | undefined {
    if (found === undefined) return undefined;
    const { code, kind } = found;
    if (kind === "digest") this.digests.set(JSON.stringify(ids), { ...ids, code });
    if (kind !== "shortened") return code;
    const field = ids.seriesId === undefined ? "manufacturerId" : "seriesId";
    repairs.report(field, ids.seriesId ?? ids.manufacturerId, `"${code}" is written`);
    return code;
  }
}

/** The series of each manufacturer of a project; "" groups items without a manufacturer. */
function idsOf(project: ProjectDocument): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const item of walkItems(project.items)) {
    if (!isPosition(item)) continue;
    const { manufacturerId, seriesId } = trimmedIds(item);
    const series = found.get(manufacturerId) ?? new Set();
    found.set(manufacturerId, series);
    if (seriesId !== "") series.add(seriesId);
  }
  return found;
}

function trimmedIds({ manufacturerId = "", seriesId = "" }: PositionItem) {
  return { manufacturerId: manufacturerId.trim(), seriesId: seriesId.trim() };
}

function trimmed(codes: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(codes).map(([id, code]) => [id.trim(), code]));
}

function described({ manufacturerId, seriesId, code }: DigestCode): string {
  const id = JSON.stringify(seriesId ?? manufacturerId);
  const what =
    seriesId === undefined ? `manufacturer ${id}` : `series ${id} of ${JSON.stringify(manufacturerId)}`;
  return `${what} is "${code}"`;
}

import { createHash } from "node:crypto";
import {
  isPosition,
  type PositionItem,
  type PricingProcedure,
  type ProjectDocument,
  type Session,
  type Suppression,
  walkItems,
} from "@slipway/sdk";
import type { ExportConfiguration, ExportSettings } from "../configuration/export-configuration.js";
import type { OexFormat } from "../document/oex-document.js";
import { code, codeForms, type FieldRepairs, type Repairs } from "../repair/repairs.js";

/** Request data shared by all parts of an export. */
export interface ExportContext {
  session: Session;
  project: ProjectDocument;
  configuration: ExportConfiguration;
  format: OexFormat;
  /** Locale of the session, such as "de_DE". */
  locale: string;
  procedure: PricingProcedure;
  preferredImageColumn: string;
  /** From `imageOptions` (interface document, section 4.2): the tag of the article pictures that come first. */
  imageTag: string | undefined;
  /** Time of the export. */
  now: Date;
  /** IANA time zone of written dates. */
  timeZone: string;
  codes: VendorCodes;
  /** Aborts when the client no longer waits for the export. */
  signal: AbortSignal;
  repairs: Repairs;
  suppress(suppression: Suppression): void;
}

// Codes of manufacturers and series (OEX reference, sections 7 and 20), which are shorter than many ids.

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

/** The code written for an id. */
interface IdCode {
  code: string;
  /**
   * `own`: the id is a valid code. `shortened`: the code is derived from the id. `digest`: the derived code clashes
   * with another id's, so the code comes from a digest.
   */
  kind: "own" | "shortened" | "digest";
}

/** Written in documents in place of a missing code. */
export const missingCode = "0";

/** Attempts that keep the first character; further attempts use the digest only. */
const readableAttempts = 20;
const attempts = 60;

/**
 * Unique codes for ids. A valid code stays as it is; other ids are converted to capitals, stripped and cut. On a clash
 * the code comes from a digest of the id. Codes depend on the set of ids, not on their order.
 * @param reserved codes that no id may get
 */
function distinctCodes(ids: ReadonlySet<string>, reserved: Iterable<string>): Map<string, IdCode> {
  const codes = new Map<string, IdCode>();
  const taken = new Set(reserved);
  const shortForms = new Map<string, string[]>();
  const alike: string[] = [];
  const isOwn = (id: string): boolean => codeForms.vendor.pattern.test(id) && !taken.has(id);
  for (const id of ids) if (isOwn(id)) codes.set(id, { code: id, kind: "own" });
  for (const id of codes.keys()) taken.add(id);
  taken.add(missingCode);
  for (const id of ids) {
    if (codes.has(id)) continue;
    const short = code(id, codeForms.vendor);
    if (short === undefined || taken.has(short)) alike.push(id);
    else shortForms.set(short, [...(shortForms.get(short) ?? []), id]);
  }
  for (const [short, those] of shortForms) {
    const [only, ...others] = those;
    if (only === undefined || others.length > 0) alike.push(...those);
    else codes.set(only, { code: short, kind: "shortened" });
  }
  for (const { code } of codes.values()) taken.add(code);
  for (const id of alike.sort(byCodeUnits)) {
    const own = digestCode(id, taken);
    taken.add(own);
    codes.set(id, { code: own, kind: "digest" });
  }
  return codes;
}

/**
 * The first character of the derived code and three characters of the id's digest. If that code is taken, the next
 * digest is tried; 36^4 codes suffice for every project that a host accepts.
 */
function digestCode(id: string, taken: ReadonlySet<string>): string {
  const first = code(id, codeForms.vendor)?.charAt(0) ?? "";
  for (let attempt = 0; ; attempt += 1) {
    const kept = attempt < readableAttempts ? first : "";
    const found = kept + digest(id, attempt).slice(kept.length);
    if (!taken.has(found) || attempt === attempts) return found;
  }
}

/** Four capitals and digits of the SHA-256 of the id, with the attempt appended after the first. */
function digest(id: string, attempt: number): string {
  const text = attempt === 0 ? id : `${id}\n${attempt}`;
  const bits = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  return (bits % 36 ** 4).toString(36).toUpperCase().padStart(4, "0");
}

function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

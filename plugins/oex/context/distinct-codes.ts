import { createHash } from "node:crypto";
import { code, codeForms } from "../repair/value-repairs.js";

/** The code that an id is written with. */
export interface IdCode {
  code: string;
  /** The id is a code itself, or was made one, or shares what it would become with another id and has one of a digest. */
  kind: "own" | "shortened" | "digest";
}

/** Stands in documents for a code that there is none of. */
export const missingCode = "0";

/** Attempts that keep the first character; beyond them, more codes are needed than these are. */
const readableAttempts = 20;
const attempts = 60;

/**
 * A code for each id, no two alike. An id that is a code is its own; any other one is made one by capitals, dropping and
 * cutting. Where that gives a code that another id has or would have, it gets one that is made of a digest of the id: what an
 * id gets depends on the ids alone, not on their order.
 * @param reserved codes that no id may get
 */
export function distinctCodes(ids: ReadonlySet<string>, reserved: Iterable<string>): Map<string, IdCode> {
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
 * The first character of what the id would become, and three of the digest of the id. Where that code is taken, the next
 * digest decides; 36^4 codes are enough for every project that a host takes.
 */
function digestCode(id: string, taken: ReadonlySet<string>): string {
  const first = code(id, codeForms.vendor)?.charAt(0) ?? "";
  for (let attempt = 0; ; attempt += 1) {
    const kept = attempt < readableAttempts ? first : "";
    const found = kept + digest(id, attempt).slice(kept.length);
    if (!taken.has(found) || attempt === attempts) return found;
  }
}

/** Four capitals and digits of the SHA-256 of the id, followed by the attempt where it is not the first. */
function digest(id: string, attempt: number): string {
  const text = attempt === 0 ? id : `${id}\n${attempt}`;
  const bits = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  return (bits % 36 ** 4).toString(36).toUpperCase().padStart(4, "0");
}

function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

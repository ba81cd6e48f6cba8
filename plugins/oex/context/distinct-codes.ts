import { createHash } from "node:crypto";
import { code, codeForms } from "../repair/value-repairs.js";

/** The code written for an id. */
export interface IdCode {
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

/** Texts and prices of described projects. */

import { createHash } from "node:crypto";
import type { Asset, Money, Texts } from "../../project/document.js";
import { pictureType } from "../../project/picture-type.js";

/** In the first language of the project, or one for each language, such as `{ en: "Chair", de: "Stuhl" }`. */
export type TextDescription = string | Readonly<Record<string, string>>;

/** An amount such as "12.50" in the project's currency, or in another one. */
export type PriceDescription = string | Money;

/** The UUID of a number from 0 to 999,999,999,999: `id(7)` is "00000000-0000-4000-8000-000000000007". They sort as their numbers do. */
export function id(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0 || number > 999_999_999_999)
    throw new RangeError(`id: expected a whole number from 0 to 999999999999, received ${number}`);
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** A text without a language is in `language`. */
export function describedTexts(text: TextDescription, language: string): Texts {
  const entries = typeof text === "string" ? [[language, text] as const] : Object.entries(text);
  return entries.map(([lang, value]) => ({ lang, value }));
}

/** The pictures of a described project, without duplicates. */
export class DescribedPictures {
  /** By key. */
  readonly assets: Record<string, Asset> = {};
  private readonly keys = new Map<string, string>();

  /** Adds a picture; returns its key in the project. */
  add(bytes: Uint8Array): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    const known = this.keys.get(hash);
    if (known !== undefined) return known;
    const key = `picture-${this.keys.size + 1}`;
    this.keys.set(hash, key);
    const type = pictureType(bytes) ?? { mediaType: "application/octet-stream" };
    this.assets[key] = { ...type, base64: Buffer.from(bytes).toString("base64") };
    return key;
  }
}

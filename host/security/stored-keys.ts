import { describe, type Static, Type, Validator } from "@slipway/sdk";
import { parsedJson } from "../system/json.js";
import { Role } from "./caller.js";

const closed = { additionalProperties: false } as const;

/** Names of keys; used in logs and the audit trail. */
export const keyName = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$/;

/** A stored key: sufficient to verify a key, not to recover it. */
export const StoredKey = Type.Object(
  {
    id: Type.String({
      pattern: "^[a-z0-9]{8}$",
      description: "The part of the key that says which one it is.",
    }),
    name: Type.String({ pattern: keyName.source }),
    roles: Type.Array(Role, { minItems: 1 }),
    hash: Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the whole key." }),
    created: Type.String({ format: "date-time" }),
    expires: Type.Optional(Type.String({ format: "date-time" })),
  },
  closed,
);
export type StoredKey = Static<typeof StoredKey>;

/** All keys, as they are stored. */
export const StoredKeys = Type.Object({ keys: Type.Array(StoredKey, { maxItems: 1000 }) }, closed);
export type StoredKeys = Static<typeof StoredKeys>;

const check = new Validator({ lazy: true }).compile(StoredKeys, "file");

/** Bytes; far more than the maximum number of keys needs. */
export const largestKeys = 1024 * 1024;

/** The stored keys are unusable; the message is a reason without a final period. */
export class BrokenKeys extends Error {
  override readonly name = "BrokenKeys";
}

/** Parses stored keys. `source`: its name. Throws `BrokenKeys` without any of the content. */
export function parseKeys(text: string, source: string): StoredKey[] {
  const value = parsedJson(text);
  if (value === undefined) throw new BrokenKeys(`${source} is no JSON`);
  const result = check(value);
  if (!result.ok) {
    // The file may contain a complete key by mistake.
    const places = result.violations.map((each) => describe({ path: each.path, expected: each.expected }));
    throw new BrokenKeys(`${source} is wrong: ${places.slice(0, 3).join("; ")}`);
  }
  const { keys } = result.value;
  const twice = keys.find(({ id }, index) => keys.findIndex((other) => other.id === id) < index);
  if (twice !== undefined) throw new BrokenKeys(`${source} has two keys with the id ${twice.id}`);
  if (
    keys.some(({ created, expires }) =>
      [created, expires ?? created].some((time) => Number.isNaN(Date.parse(time))),
    )
  )
    throw new BrokenKeys(`${source} has a time that no calendar has`);
  return keys;
}

/** The text of keys, as it is stored. */
export function keysText(keys: readonly StoredKey[]): string {
  return `${JSON.stringify({ keys }, undefined, 2)}\n`;
}

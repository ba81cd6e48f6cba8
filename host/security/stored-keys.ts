import { readFile, stat } from "node:fs/promises";
import { describe, type Static, Type, Validator } from "@slipway/sdk";
import { errorCode } from "../system/errors.js";
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

/** Content of the key file. */
export const StoredKeys = Type.Object({ keys: Type.Array(StoredKey, { maxItems: 1000 }) }, closed);
export type StoredKeys = Static<typeof StoredKeys>;

const check = new Validator({ lazy: true }).compile(StoredKeys, "file");

/** Bytes; far more than the maximum number of keys needs. */
const largest = 1024 * 1024;

/** The key file is unusable; the message is a reason without a final period. */
export class BrokenKeyFile extends Error {
  override readonly name = "BrokenKeyFile";
}

/** The text of the key file; undefined without a file. Throws `BrokenKeyFile` when it cannot be read. */
export async function readKeyText(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    // Reading a pipe or device could block forever, and removed keys would stay in force.
    if (!found.isFile()) throw new BrokenKeyFile(`the key file ${file} is no file`);
    if (found.size > largest) throw new BrokenKeyFile(`the key file ${file} is larger than ${largest} bytes`);
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof BrokenKeyFile) throw error;
    if (errorCode(error) === "ENOENT") return undefined;
    throw new BrokenKeyFile(`the key file ${file} cannot be read (${errorCode(error) ?? String(error)})`, {
      cause: error,
    });
  }
}

/** Parses a key file. Throws `BrokenKeyFile` without any of its content. */
export function parseKeys(text: string, file: string): StoredKey[] {
  const value = parsedJson(text);
  if (value === undefined) throw new BrokenKeyFile(`the key file ${file} is no JSON`);
  const result = check(value);
  if (!result.ok) {
    // The file may contain a complete key by mistake.
    const places = result.violations.map((each) => describe({ ...each, received: "something else" }));
    throw new BrokenKeyFile(`the key file ${file} is wrong: ${places.slice(0, 3).join("; ")}`);
  }
  const { keys } = result.value;
  const twice = keys.find(({ id }, index) => keys.findIndex((other) => other.id === id) < index);
  if (twice !== undefined)
    throw new BrokenKeyFile(`the key file ${file} has two keys with the id ${twice.id}`);
  if (
    keys.some(({ created, expires }) =>
      [created, expires ?? created].some((time) => Number.isNaN(Date.parse(time))),
    )
  )
    throw new BrokenKeyFile(`the key file ${file} has a time that no calendar has`);
  return keys;
}

/** The keys in the key file; empty without a file. Throws `BrokenKeyFile`. */
export async function storedKeys(file: string): Promise<StoredKey[]> {
  const text = await readKeyText(file);
  return text === undefined ? [] : parseKeys(text, file);
}

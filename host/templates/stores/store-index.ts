/** The index of a template store. */
import { describe, type Static, shownValue, Type, Validator } from "@slipway/sdk";
import { parsedJson } from "../../system/json.js";
import { StoreFailure } from "./store-failure.js";

/** Incremented with every incompatible change. */
export const storeProtocol = 1;

/** Name of the index below the base address of a store. */
export const indexFile = "index.json";

export const StoreEntry = Type.Object({
  key: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$", description: "As in template.json." }),
  version: Type.String({ minLength: 1, maxLength: 50, description: "As in template.json." }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "Of the archive, hexadecimal." }),
  bytes: Type.Integer({ minimum: 1, description: "Size of the archive." }),
  archive: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: "Address of the archive, relative to the index.",
  }),
});
/** One template of a store. */
export type StoreEntry = Static<typeof StoreEntry>;

/** Unknown members are ignored. */
export const StoreIndex = Type.Object({
  protocol: Type.Literal(storeProtocol),
  templates: Type.Array(StoreEntry),
});
export type StoreIndex = Static<typeof StoreIndex>;

const checkProtocol = new Validator({ lazy: true }).compile(
  Type.Object({ protocol: Type.Integer() }),
  indexFile,
);
const checkIndex = new Validator({ lazy: true }).compile(StoreIndex, indexFile);

/** The entries of an index. Throws a `StoreFailure`. */
export function readStoreIndex(content: Uint8Array, most: number): readonly StoreEntry[] {
  const value = parsedJson(new TextDecoder().decode(content));
  const { protocol } = expectProtocol(value);
  if (protocol !== storeProtocol)
    throw new StoreFailure(
      `The store speaks the protocol ${protocol}; this host understands ${storeProtocol}.`,
    );
  const result = checkIndex(value);
  if (!result.ok) {
    const [first] = result.violations;
    // The received value is not repeated: a store may contain confidential data.
    const mistake =
      first === undefined ? "" : `: ${describe({ path: first.path, expected: first.expected })}`;
    throw new StoreFailure(`The index of the store is not valid${mistake}.`);
  }
  const { templates } = result.value;
  if (templates.length > most)
    throw new StoreFailure(`The store lists ${templates.length} templates; at most ${most} are taken.`);
  const keys = new Set<string>();
  for (const { key } of templates) {
    if (keys.has(key)) throw new StoreFailure(`The store lists the key ${shownValue(key)} twice.`);
    keys.add(key);
  }
  // Drops unknown members, whose size is not limited.
  return templates.map(({ key, version, sha256, bytes, archive }) => ({
    key,
    version,
    sha256,
    bytes,
    archive,
  }));
}

function expectProtocol(value: unknown): { protocol: number } {
  const result = checkProtocol(value);
  if (result.ok) return result.value;
  throw new StoreFailure(`The store did not answer with an index of templates.`);
}

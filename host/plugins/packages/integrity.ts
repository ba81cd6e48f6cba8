import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, type Static, shownValue, Type, Validator } from "@slipway/sdk";
import { DistinctPaths, pathProblem } from "../../system/archives/entry-path.js";
import { errorCode, Rejection } from "../../system/errors.js";
import { parsedJson } from "../../system/json.js";
/** Name of the list in a plugin's folder. */
export const integrityFile = "integrity.json";

const closed = { additionalProperties: false } as const;
const largest = 32 * 1024 * 1024;

/** What a packed plugin consists of: every file beside the list itself. */
export const Integrity = Type.Object(
  {
    format: Type.Literal(1),
    files: Type.Record(
      Type.String({ description: 'Relative to the folder, "/" between folders.' }),
      Type.Object(
        {
          size: Type.Integer({ minimum: 0, description: "Bytes." }),
          sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
        },
        closed,
      ),
    ),
    signature: Type.Optional(
      Type.Object(
        {
          key: Type.String({
            pattern: "^[0-9A-Za-z._-]{1,100}$",
            description: "Fingerprint of the key that it was made with.",
          }),
          value: Type.String({ pattern: "^[A-Za-z0-9+/]{86}==$", description: "Ed25519, Base64." }),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type Integrity = Static<typeof Integrity>;

const check = new Validator({ lazy: true }).compile(Integrity, integrityFile);

/**
 * The list of a plugin's folder; undefined when there is none, "incomplete" while it is no whole JSON yet. Throws a
 * `Rejection` when something is wrong with it.
 */
export async function findIntegrity(folder: string): Promise<Integrity | "incomplete" | undefined> {
  const text = await readList(join(folder, integrityFile));
  if (text === undefined) return undefined;
  const value = parsedJson(text);
  if (value === undefined) return "incomplete";
  const result = check(value);
  if (!result.ok) throw new Rejection(result.violations.slice(0, 5).map(describe).join("; "));
  requireGoodPaths(result.value);
  return result.value;
}

/**
 * The list of a plugin's folder that is complete; undefined when there is none. Throws a `Rejection` when something is wrong
 * with it.
 */
export async function readIntegrity(folder: string): Promise<Integrity | undefined> {
  const integrity = await findIntegrity(folder);
  if (integrity === "incomplete") throw new Rejection(`${integrityFile} is no JSON`);
  return integrity;
}

async function readList(file: string): Promise<string | undefined> {
  try {
    if ((await stat(file)).size > largest) throw new Rejection(`${integrityFile} is larger than 32 MB`);
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function requireGoodPaths({ files }: Integrity): void {
  const paths = new DistinctPaths();
  for (const path of Object.keys(files)) {
    const problem = pathProblem(path) ?? paths.add(path, "file");
    if (problem !== undefined)
      throw new Rejection(`${integrityFile}: the path ${shownValue(path)} ${problem}`);
  }
  if (!paths.hasFile("package.json")) throw new Rejection(`${integrityFile} does not list package.json`);
  if (paths.hasFile(integrityFile)) throw new Rejection(`${integrityFile} lists itself`);
}

/** The SDK dependency of a new plugin. */
import { execFile } from "node:child_process";
import { copyFile, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Type } from "../schema/schema.js";
import { checked, Validator } from "../schema/validation.js";

const run = promisify(execFile);

/** The folder of the current SDK. */
export const sdkFolder = fileURLToPath(new URL("../..", import.meta.url));

const Package = Type.Object({ version: Type.String() });
const Packed = Type.Array(Type.Object({ filename: Type.String() }), { minItems: 1, maxItems: 1 });

const versionPattern = /^[\^~]?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const archivePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:tgz|tar\.gz)$/;
/** Maximum size of npm's list of packed files, in bytes. */
const largestOutput = 16 * 1024 ** 2;

/** The version of the current SDK. */
export async function sdkVersion(): Promise<string> {
  const text = await readFile(join(sdkFolder, "package.json"), "utf8");
  return checked(new Validator().compile(Package, "package.json")(JSON.parse(text)), "The SDK").version;
}

/**
 * The SDK dependency for a plugin's package.json. `sdk`: a version or range in a registry, or the path of an archive,
 * which is copied into the plugin's folder. Without it, the current SDK is packed into the folder, which needs no
 * network. Rejects with a human-readable error.
 */
export async function sdkDependency(folder: string, sdk: string | undefined): Promise<string> {
  if (sdk === undefined) return `file:${await packSdk(folder)}`;
  if (versionPattern.test(sdk)) return sdk;
  const name = basename(sdk);
  if (!archivePattern.test(name) || !(await isFile(sdk))) {
    throw new Error(
      `--sdk must be a version such as "^1.1.0", or the path of an archive, but is ${JSON.stringify(sdk)}.`,
    );
  }
  await copyFile(sdk, join(folder, name));
  return `file:${name}`;
}

/** Packs the SDK into the folder and returns the archive's name. */
async function packSdk(folder: string): Promise<string> {
  const parameters = ["pack", sdkFolder, "--json", "--offline", "--ignore-scripts"];
  const { stdout } = await npm([...parameters, "--pack-destination", folder], folder);
  const [packed] = checked(new Validator().compile(Packed, "npm pack")(JSON.parse(stdout)), "npm pack");
  if (packed === undefined) throw new Error("npm packed no SDK.");
  return packed.filename;
}

async function npm(parameters: string[], folder: string): Promise<{ stdout: string }> {
  // If npm started this process, use the same npm.
  const program = process.env["npm_execpath"];
  const [command, first] = program?.endsWith(".js") ? [process.execPath, [program]] : ["npm", []];
  try {
    return await run(command, [...first, ...parameters], { cwd: folder, maxBuffer: largestOutput });
  } catch (error) {
    const isMissing = error instanceof Error && Reflect.get(error, "code") === "ENOENT";
    const reason = isMissing ? "npm was not found" : firstLine(error);
    throw new Error(`The SDK could not be packed: ${reason}. --sdk names a version of a registry instead.`, {
      cause: error,
    });
  }
}

function firstLine(error: unknown): string {
  const said: unknown = error instanceof Error ? Reflect.get(error, "stderr") : undefined;
  const lines = typeof said === "string" ? said.split("\n") : [];
  return lines.find((line) => /^npm (?:ERR!|error)/.test(line)) ?? "npm failed";
}

/** Whether a path is an accessible file. */
export async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

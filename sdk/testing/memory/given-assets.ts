import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findAssets, folderProblem, globProblem } from "../../runtime/host.js";
import type { AssetFolder } from "../../runtime/index.js";
import { errorMessage } from "../../schema/errors.js";
import { type Static, Type } from "../../schema/schema.js";
import { type Check, checked, Validator } from "../../schema/validation.js";

/** The members of a package.json that decide which files are assets. */
const AssetManifest = Type.Object({
  slipway: Type.Object({
    entry: Type.String(),
    assets: Type.Array(Type.String(), { default: [] }),
    templates: Type.Optional(Type.String()),
  }),
});

let check: Check<Static<typeof AssetManifest>> | undefined;

/**
 * The assets in a plugin's source folder; undefined without a folder. Rejects with a `TypeError` for a folder without a
 * manifest, and for globs that a server refuses.
 */
export async function givenAssets(given: string | URL | undefined): Promise<AssetFolder | undefined> {
  if (given === undefined) return undefined;
  const folder = resolve(given instanceof URL ? fileURLToPath(given) : given);
  try {
    check ??= new Validator().compile(AssetManifest, "package.json");
    const content: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const { slipway } = checked(check(content), "The package.json");
    requireGlobs(slipway);
    return { folder, names: (await findAssets(folder, slipway)).map(({ path }) => path) };
  } catch (error) {
    throw new TypeError(
      `folder: expected that of a plugin with its package.json, received ${folder}: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}

function requireGlobs({ assets, templates }: Static<typeof AssetManifest>["slipway"]): void {
  for (const glob of assets) {
    const problem = globProblem(glob);
    if (problem !== undefined) throw new Error(`slipway.assets: ${JSON.stringify(glob)} ${problem}`);
  }
  const problem = templates === undefined ? undefined : folderProblem(templates);
  if (problem !== undefined) throw new Error(`slipway.templates: ${JSON.stringify(templates)} ${problem}`);
}

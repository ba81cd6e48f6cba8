import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checked, Type, Validator } from "@slipway/sdk";

/** The version of the SDK that plugins get. Rejects when the package is not whole. */
export async function readSdkVersion(sdkDirectory: string): Promise<string> {
  const check = new Validator().compile(Type.Object({ version: Type.String() }), "package.json");
  const text = await readFile(join(sdkDirectory, "package.json"), "utf8");
  return checked(check(JSON.parse(text)), "The package.json of @slipway/sdk").version;
}

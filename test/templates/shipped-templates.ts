import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../start-host.js";

/** Keys of the templates that come with Slipway, in order. */
export async function shippedTemplates(): Promise<string[]> {
  const members = await readdir(join(repository, "templates"), { withFileTypes: true });
  return members
    .filter((each) => each.isDirectory() && !each.name.startsWith("_"))
    .map(({ name }) => name)
    .sort();
}

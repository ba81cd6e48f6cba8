/**
 * The checker of OEX documents with the schemas from disk, where the bundle has them inside. Uses the part itself: the
 * plugin checks only the documents that it writes, and those are right.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { OexChecker } from "../../plugins/oex/checking/check-document.js";
import { repository } from "../start-host.js";

/** Every schema file by its name. */
export async function readSchemaFiles(): Promise<Map<string, string>> {
  const folder = join(repository, "plugins", "oex", "schemas");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".xsd"));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return new Map(names.map((name, index) => [name, texts[index] ?? ""]));
}

/**
 * Checks documents as `await (await createOexChecker()).check(bytes)`: no problems, or what is wrong and where. Compiling
 * takes half a second: make one for all tests of a file.
 */
export async function createOexChecker(): Promise<OexChecker> {
  return OexChecker.create(await readSchemaFiles());
}

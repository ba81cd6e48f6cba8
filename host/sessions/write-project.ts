import { checked, checkProject, type Item, walkItems, writeObk, writeObx } from "@slipway/sdk";
import type { WrittenFormat } from "./opening-messages.js";

/** Writes a project, JSON with the bytes of its assets, as a file. */
export async function writeProject(bytes: Uint8Array, written: WrittenFormat): Promise<Uint8Array> {
  const project = checked(
    checkProject(JSON.parse(Buffer.from(bytes).toString("utf8"))),
    "The project is not valid",
  );
  if (written.format === "obk") return await writeObk(project);
  const named = new Set(written.items);
  const wanted = new Set<string>();
  for (const item of walkItems(project.items))
    if (named.has(item.id)) for (const { id } of walkItems([item])) wanted.add(id);
  return Buffer.from(writeObx(project, { include: ({ id }: Item) => wanted.has(id) }));
}

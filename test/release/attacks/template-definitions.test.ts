/** A definition full of mistakes is refused with the first of them, and costs the host no more than its size. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checked, Type, Validator } from "@slipway/sdk";
import t from "tap";
import { until } from "../../host/plugins-support.js";
import { definition } from "../../host/templates-support.js";
import { startHost } from "../../start-host.js";

const checkTemplates = new Validator().compile(
  Type.Object({ templates: Type.Array(Type.Object({ error: Type.Optional(Type.String()) })) }),
  "answer",
);

const size = 250_000;
const listed = (text: (index: number) => string): string => {
  const parts: string[] = [];
  for (let length = 0; length < size; ) {
    const part = text(parts.length);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join(",");
};
const withMembers = (members: string): string => `${definition("large").slice(0, -1)},${members}}`;

const files: Record<string, { text: string; first: RegExp; more?: string }> = {
  "values of a wrong kind": {
    text: withMembers(`"description":{${listed((at) => `"l${at}":7`)}}`),
    first: /description/,
    more: "\\d+",
  },
  "too many aliases": {
    text: withMembers(`"aliases":[${listed((at) => `"a${at % 9000}"`)}]`),
    first: /more than 50 items/,
  },
  "unknown members": {
    text: withMembers(listed((at) => `"u${at}":7`)),
    first: /`u0` is not a known field/,
    more: "\\d+",
  },
  "names that are there twice": {
    text: withMembers(listed(() => '"name":7')),
    first: /^template.json:1: "name" is there twice/,
    more: "\\d+",
  },
  "the same in many lines": {
    text: withMembers(listed(() => '\n"name":7')),
    first: /^template.json:2: "name" is there twice/,
    more: "\\d+",
  },
  "lists inside each other": {
    text: withMembers(`"options":${"[".repeat(size)}${"]".repeat(size)}`),
    first: /^template.json: nested deeper than 200 levels$/,
  },
};

t.test("each is refused with at most twenty mistakes and the number of the others", async (t) => {
  const folder = t.testdir({});
  const host = await startHost({ templates: [folder] });
  t.teardown(() => host.stop());
  for (const [name, { text }] of Object.entries(files)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "template.json"), text);
  }
  let errors: string[] = [];
  await until(async () => {
    const answer = await fetch(`${host.url}/api/templates`);
    const { templates } = checked(checkTemplates(await answer.json()), "The answer is no list of templates");
    errors = templates.flatMap(({ error }) => error ?? []);
    return errors.length === Object.keys(files).length;
  });
  for (const [name, { first, more }] of Object.entries(files)) {
    const lines = errors.map((error) => error.split("\n")).find(([line = ""]) => first.test(line));
    t.ok(lines, `${name}: it is refused with its mistake`);
    t.equal(lines?.length, more === undefined ? 1 : 21, name);
    if (more !== undefined)
      t.match(lines?.at(-1), new RegExp(`^template.json: at least ${more} more mistakes`), name);
  }
});

/**
 * Writes the tables of `project-files.md` from the reader's tables, between its two markers. With `--check` it only
 * reports differences.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFormat } from "../dist/formats/obx/format/project-format.js";

const page = join(import.meta.dirname, "..", "project-files.md");
const [begin, end] = ["<!-- tables -->", "<!-- end of tables -->"];

const code = (words) =>
  words
    .split(/\s+/)
    .map((word) => `\`${word}\``)
    .join(" ");
const tables = projectFormat.map(([title, rows]) =>
  [
    `## ${title}`,
    "",
    "| Element | Parts | | Project document |",
    "|---|---|---|---|",
    ...rows.map(([elements, parts, treatment, note]) =>
      `| ${code(elements)} | ${code(parts)} | ${treatment} | ${note} |`.replace("|  |", "| |"),
    ),
  ].join("\n"),
);

const text = readFileSync(page, "utf8");
const [before, rest] = text.split(begin);
const after = rest?.split(end)[1];
if (after === undefined) throw new Error(`${page} has no markers`);
const written = `${before}${begin}\n\n${tables.join("\n\n")}\n\n${end}${after}`;
if (written === text) process.exit(0);
if (process.argv.includes("--check")) {
  process.stderr.write(`${page} differs from the code; "npm run api" writes it anew\n`);
  process.exit(1);
}
writeFileSync(page, written);

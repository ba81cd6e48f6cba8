/** The pages of the documentation, and what a test needs of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";

export interface Page {
  path: string;
  text: string;
  blocks: Block[];
}

/** A fenced block. What follows its language names a file, or is "no-test" or "needs <program>". */
export interface Block {
  language: string;
  name: string;
  content: string;
}

/** `path` is relative to the repository. */
export function readPage(path: string): Page {
  const text = readFileSync(join(repository, path), "utf8");
  const fences = text.matchAll(/^```([a-z]+)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm);
  const blocks = [...fences].map(([, language = "", name = "", content = ""]) => ({
    language,
    name,
    content,
  }));
  return { path, text, blocks };
}

/** The part of a page below a heading, up to the next one of its level. */
export function section({ path, text }: Page, heading: string): string {
  const level = heading.split(" ", 1)[0] ?? "";
  const [, after] = text.split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`${path} has no heading "${heading}"`);
  return after.split(new RegExp(`^${level} `, "m"), 1)[0] ?? "";
}

/** What stands between backticks, outside of fenced blocks. */
export function quotedWords(text: string): string[] {
  return [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
}

/** Targets of links and pictures that lie in the repository, with the heading that they name. */
export function ownLinks({ text }: Page): { file: string; anchor: string }[] {
  const links = text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/\]\(([^)\s]+)\)/g);
  return [...links]
    .map(([, target = ""]) => target)
    .filter((target) => !/^https?:/.test(target))
    .map((target) => ({ file: target.split("#", 1)[0] ?? "", anchor: target.split("#")[1] ?? "" }));
}

/** The anchors of a page's headings. */
export function anchors({ text }: Page): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, "")
      .replaceAll(" ", "-"),
  );
}

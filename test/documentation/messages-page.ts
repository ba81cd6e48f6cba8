/** The page of all messages, `host/errors/messages.md`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";
import type { ErrorMessage } from "./error-messages.js";
import { exampleKey } from "./message-examples.js";

const file = join(repository, "host", "errors", "messages.md");

const introduction = `# Messages

Every message of an error of host, SDK and first-party plugins, as the code has it; \`{name}\` stands for what the code inserts,
and an example follows: an answer that a test received, or one written for this page.
[Errors](README.md) has the meaning of each id. A test writes and compares this page (\`test/host/messages.test.ts\`), so that
a change of words is a change of this page: \`SLIPWAY_WRITE_MESSAGES=1\` makes the test write it.

| id | Status | Message |
|---|---|---|
`;

/** The page of these messages, with examples by message, and of the reasons below each title. */
export function messagesPage(
  messages: readonly ErrorMessage[],
  examples: ReadonlyMap<string, string>,
  reasons: Readonly<Record<string, readonly string[]>>,
): string {
  const rows = messages.map((message) => {
    const { id, status, text } = message;
    const example = examples.get(exampleKey(message));
    const shown = example === undefined ? inCell(text) : `${inCell(text)}<br>*${inCell(example)}*`;
    return `| \`${id}\` | ${status ?? ""} | ${shown} |\n`;
  });
  const lists = Object.entries(reasons).map(
    ([title, texts]) => `\n## ${title}\n\n${texts.map((text) => `- ${inCell(text)}\n`).join("")}`,
  );
  return [introduction, ...rows, ...lists].join("");
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("*", "\\*").replaceAll("\n", " ");
}

/** The committed page; written first if the test is asked to. */
export function committedPage(page: string): string {
  if (process.env["SLIPWAY_WRITE_MESSAGES"] === "1") writeFileSync(file, page);
  return readFileSync(file, "utf8");
}

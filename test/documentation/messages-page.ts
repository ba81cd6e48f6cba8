/** The page of all messages, `host/errors/messages.md`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../start-host.js";
import type { ErrorMessage } from "./error-messages.js";

const file = join(repository, "host", "errors", "messages.md");

const introduction = `# Messages

Every message of an error of host, SDK and first-party plugins, as the code has it; \`{name}\` stands for what the code inserts.
[Errors](README.md) has the meaning of each id. A test writes and compares this page (\`test/host/messages.test.ts\`), so that
a change of words is a change of this page: \`SLIPWAY_WRITE_MESSAGES=1\` makes the test write it.

| id | Status | Message |
|---|---|---|
`;

/** The page of these messages. */
export function messagesPage(messages: readonly ErrorMessage[]): string {
  const rows = messages.map(({ id, status, text }) => {
    const shown = text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
    return `| \`${id}\` | ${status ?? ""} | ${shown} |\n`;
  });
  return `${introduction}${rows.join("")}`;
}

/** The committed page; written first if the test is asked to. */
export function committedPage(page: string): string {
  if (process.env["SLIPWAY_WRITE_MESSAGES"] === "1") writeFileSync(file, page);
  return readFileSync(file, "utf8");
}

/**
 * Collects the errors in the answers that the tests get, for `host/errors/messages.md`: loaded into each test file when
 * SLIPWAY_RECORD_MESSAGES names a file, to which it adds one line of JSON for each message.
 */
import { appendFileSync } from "node:fs";

const file = process.env["SLIPWAY_RECORD_MESSAGES"];
const known = new Set();

function note(value) {
  if (typeof value !== "object" || value === null) return;
  const { id, message } = value;
  const line = JSON.stringify({ id, message });
  if (typeof id === "string" && typeof message === "string" && !known.has(line)) {
    known.add(line);
    appendFileSync(file, `${line}\n`);
  }
  for (const member of Object.values(value)) note(member);
}

const { text } = Response.prototype;
Response.prototype.text = async function () {
  const answer = await text.call(this);
  if (this.headers.get("content-type")?.includes("json")) {
    try {
      note(JSON.parse(answer));
    } catch {
      // Cut off by the test.
    }
  }
  return answer;
};
Response.prototype.json = async function () {
  return JSON.parse(await this.text());
};

/** The messages that people get: all of the code, and examples from a running host. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type, Validator } from "@slipway/sdk";
import t from "tap";
import { raisedErrors } from "../documentation/error-ids.js";
import { errorMessages, reasons } from "../documentation/error-messages.js";
import { messageExamples } from "../documentation/message-examples.js";
import { committedPage, messagesPage } from "../documentation/messages-page.js";
import { repository, startHost } from "../start-host.js";

const folders = ["host", "plugins", "sdk"];
/** Words of a translation, and of code. */
const bad =
  /undefined|\[object|\bNaN\b| {2}|\bis told\b|\bgoes on\b|\bis none\b|\bwhoever\b|expected .*, received /;

t.test("every id has a message, and each message is a sentence", (t) => {
  const messages = errorMessages(folders);
  const ids = new Set(messages.map(({ id }) => id));
  const page = readFileSync(join(repository, "host", "errors", "README.md"), "utf8");
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id = ""]) => id);
  const without = [...raisedErrors(folders).keys(), ...listed].filter((id) => !ids.has(id));
  t.strictSame(without, [], "each id of the code and of the page of errors has a message");
  const texts = messages.map(({ text }) => text);
  t.strictSame(
    texts.filter((text) => !/^(?:[A-Z"`{]|host\.)/.test(text)),
    [],
    "each begins as a sentence, with a name or with what the code inserts",
  );
  t.strictSame(
    texts.filter((text) => !/[.!?}]$/.test(text)),
    [],
    "each ends as a sentence, or with one that the code inserts",
  );
  t.strictSame(
    texts.filter((text) => bad.test(text) || text.length > 300),
    [],
    "each is short and in plain words",
  );
  const { examples, outdated, missing } = messageExamples(messages);
  t.strictSame(outdated, [], "each example is of a message that exists");
  t.strictSame(missing, [], "each message into which the code inserts something has an example");
  const refusals = reasons(["host"], ["Rejection", "StorageRejection"], 0);
  const findings = reasons(["host/cli"], ["wrong", "hint"], 1);
  t.strictSame(
    [...refusals, ...findings].filter((text) => bad.test(text) || text.length > 300),
    [],
    "each reason is short and in plain words",
  );
  const written = messagesPage(messages, examples, {
    "Why a plugin, template or archive is refused": refusals,
    "What slipway check finds": findings,
  });
  t.equal(
    committedPage(written),
    written,
    "host/errors/messages.md is that of the code; SLIPWAY_WRITE_MESSAGES=1 writes it",
  );
  t.end();
});

const ErrorBody = Type.Object({
  id: Type.String(),
  message: Type.String(),
  additionalInformation: Type.Record(Type.String(), Type.Unknown()),
});
const checkError = new Validator().compile(ErrorBody, "error");

t.test("a running host answers with such sentences", async (t) => {
  const host = await startHost({ configuration: { limits: { json: 2000 } } });
  t.teardown(() => host.stop());
  const asked = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(host.url + path, init);
    const body: unknown = await answer.json();
    const checked = checkError(body);
    if (!checked.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    const { id, message, additionalInformation } = checked.value;
    t.match(message, /^[A-Z"`].*[.?]$/su, `${path}: ${message}`);
    t.notMatch(message, bad, message);
    t.notOk(
      message.includes(repository) || message.includes(host.var),
      "without a path of the host's machine",
    );
    t.ok(message.length <= 450, `${message.length} characters`);
    return { status: answer.status, id, message, violations: additionalInformation["violations"] };
  };
  const json = (body: unknown): RequestInit => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const pdf = (content: string): RequestInit => ({
    method: "POST",
    headers: { "Content-Type": "application/pdf" },
    body: content,
  });
  const session = "e7b5b0f0-93c1-4c58-8f47-9d3f4a5f6a01";

  t.match(await asked("/EAIWS/plugins/reporter/generate", json({ templateKey: 5 })), {
    status: 400,
    message:
      "The request is not valid: `body.sessionId` is missing; `body.templateKey` must be a string, but is 5.",
    violations: [
      { path: "body.sessionId", expected: "a value", received: "nothing" },
      { path: "body.templateKey", expected: "a string", received: "5" },
    ],
  });
  const many = Array.from({ length: 40 }, (_, index) => index);
  const long = await asked("/EAIWS/plugins/oex/export", json({ imageOptions: many }));
  t.match(long, { status: 400, message: /; and \d+ more\.$/ });
  t.match(await asked("/EAIWS/plugins/oex/export", json({ sessionId: session })), {
    status: 422,
    id: "request-session-not-found",
    message: `The session ${session} is unknown or has expired. Open the project again.`,
  });
  t.match(await asked("/EAIWS/plugins/oex/export", json({ sessionId: "x".repeat(3000) })), { status: 413 });
  t.match(await asked("/EAIWS/plugins/oex/export", json("text")), {
    status: 400,
    message: /^The body cannot be read as JSON: /,
  });
  t.match(await asked("/EAIWS/plugins/oex/export"), {
    status: 405,
    message: "This address does not accept GET; use POST or OPTIONS.",
  });
  t.match(await asked("/EAIWS/plugins/oex/nowhere", json({})), { status: 404 });
  t.match(await asked("/EAIWS/plugins/nobody/x"), { status: 404 });
  t.match(
    await asked("/EAIWS/plugins/reporter/generate", {
      method: "POST",
      body: "a",
      headers: { "Content-Type": "text/x" },
    }),
    {
      status: 415,
      message: 'The content type "text/x" is not supported; send application/json.',
    },
  );
  t.match(await asked("/api/sessions", pdf("%PDF-1.7\nbroken")), {
    status: 400,
    message: "This PDF is damaged. Open it in a PDF program, save it again, and try again.",
    violations: [{ path: "body", expected: "an undamaged PDF without encryption" }],
  });
  t.match(await asked("/api/sessions", pdf(encryptedPdf())), {
    status: 400,
    message: "This PDF needs a password or is protected. Save it without protection and try again.",
    violations: [{ path: "body", received: "The file is encrypted." }],
  });
  t.match(await asked("/api/sessions", json({ formatVersion: "1" })), { status: 400 });
  t.match(await asked("/api/sessions", { ...json({}), body: '{"a": ' }), {
    status: 400,
    message: "The project file cannot be read, because its JSON is broken at line 1, column 7.",
  });
  t.match(await asked("/api/sessions", { ...json({}), body: " " }), { status: 400 });
  t.match(await asked(`/api/sessions/${session}`), { status: 404 });
  t.match(await asked("/api/jobs/none"), { status: 404 });
});

/** A PDF whose trailer names an encryption, with nothing in it. */
function encryptedPdf(): string {
  const head = "%PDF-1.7\n";
  const table = "xref\n0 1\n0000000000 65535 f \n";
  return `${head}${table}trailer\n<< /Size 1 /Encrypt << /Filter /Standard >> >>\nstartxref\n${head.length}\n%%EOF\n`;
}

/** The test host answers as a host does, and offers what tests need beyond that. */
import { join } from "node:path";
import { createTestHost, readArchive, smallOffice } from "@slipway/sdk/testing";
import t from "tap";
import { repository, startHost } from "../start-host.js";
import answering from "./parity/answering/index.js";
import greeting from "./parity/greeting/index.js";
import { type ParityRequest, type ParitySessions, parityRequests } from "./parity/parity-requests.js";

const folder = join(repository, "test", "sdk", "parity");

/** What clients get to see, with ids and addresses replaced. */
interface Seen {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Contents of the files that a successful answer names, those of an archive by their names. */
  files: (string | Record<string, string>)[];
}

interface Answers {
  sessions: ParitySessions;
  ask(request: ParityRequest, requestId: string): Promise<Seen>;
}

const compared =
  /^(content-type|cache-control|allow|retry-after|x-request-id|slipway-.*|access-control-expose-headers)$/;

/** Requests that the host gets at a time. */
const together = 16;

t.test("a host and a test host answer alike", async (t) => {
  t.teardown(() => started.stop());
  const started = await startHost({
    plugins: [folder],
    templates: [t.testdir()],
    configuration: { fetch: { allowedHosts: [] } },
  });
  const real = await overHttp(started.url);
  const kit = await inMemory();
  const requests = parityRequests(real.sessions);
  const expected: Seen[] = [];
  for (let first = 0; first < requests.length; first += together) {
    const some = requests.slice(first, first + together);
    expected.push(...(await Promise.all(some.map((each, at) => real.ask(each, `request-${first + at}`)))));
  }
  for (const [index, request] of parityRequests(kit.sessions).entries()) {
    const { method = "GET", path, body } = request;
    const given = await kit.ask(request, `request-${index}`);
    t.strictSame(given, expected[index], `${method} ${path} ${(JSON.stringify(body) ?? "").slice(0, 100)}`);
  }
  t.equal(new Set(requests.map((each) => JSON.stringify(each))).size, requests.length, "each is asked once");
});

async function overHttp(url: string): Promise<Answers> {
  const opened = await fetch(`${url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ locale: "de_DE", project: smallOffice() }),
  });
  const { sessionId: office } = Object(await opened.json());
  return {
    sessions: { office },
    ask: async ({ method = "GET", path, body }, requestId) => {
      const hasBody = body !== undefined && method !== "GET";
      const answer = await fetch(`${url}/EAIWS/plugins/Answering/${path}`, {
        method,
        headers: { "X-Request-Id": requestId, ...(hasBody && { "Content-Type": "application/json" }) },
        ...(hasBody && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const files = await Promise.all(
        urlsIn(text).map(async (each) => new Uint8Array(await (await fetch(each)).arrayBuffer())),
      );
      return seen(
        { status: answer.status, headers: Object.fromEntries(answer.headers), text, office },
        files,
      );
    },
  };
}

async function inMemory(): Promise<Answers> {
  const host = await createTestHost({
    plugin: answering,
    name: "Answering",
    version: "1.2.0",
    config: { unit: "pieces" },
    others: [{ plugin: greeting, name: "Greeting", version: "2.1.0", aliases: ["hello"] }],
  });
  const { id: office } = await host.openSession(smallOffice(), { locale: "de_DE" });
  return {
    sessions: { office },
    ask: async ({ method = "GET", path, body, waits }, requestId) => {
      const answering = host.request(method, path, { body, headers: { "X-Request-Id": requestId } });
      if (waits) await host.clock.advance("10s");
      const { status, headers, text } = await answering;
      const files = urlsIn(text).map((url) => host.file(url).bytes);
      return seen({ status, headers, text, office }, files);
    },
  };
}

function urlsIn(text: string): string[] {
  return text.match(/http:[^"]*\/files\/[^"]*/g) ?? [];
}

async function seen(
  answer: Omit<Seen, "files"> & { office: string },
  files: readonly Uint8Array[],
): Promise<Seen> {
  const { status, headers, text, office } = answer;
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => compared.test(name))),
    text: text
      .replaceAll(new RegExp(office, "gi"), "<session>")
      .replaceAll(/http:\/\/[^/"]+\/files\/[^/"]+/g, "<files>")
      .replaceAll(/"id":"(?:test-file-\d+|[A-Za-z0-9_-]{24})"/g, '"id":"<file>"')
      // The deadline of a request is watched in two places, and either may be a moment faster.
      .replace(/The plugin (Answering@1.2.0 did not answer in time|did not answer within 300 ms)/, "<late>"),
    files: await Promise.all(files.map(shownFile)),
  };
}

/** Archives also tell when their files were made. */
async function shownFile(bytes: Uint8Array): Promise<string | Record<string, string>> {
  const content = Buffer.from(bytes);
  if (!content.toString("latin1").startsWith("PK")) return content.toString("base64");
  const entries = [...(await readArchive(content))];
  return Object.fromEntries(entries.map(([name, file]) => [name, file.text()]));
}

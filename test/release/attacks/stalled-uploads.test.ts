/** Who stops in the middle of a body, or hoards connections, streams and room, keeps nothing from others. */
import { readdir } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t from "tap";
import { newKey } from "../../host/access-support.js";
import { until } from "../../host/plugins-support.js";
import { project } from "../../host/sessions-support.js";
import { repository, type StartedHost, startHost } from "../../start-host.js";

const projectLimit = 200_000;
const connections = 120;
const security = { connections, connectionShare: 0.5 };
let host: StartedHost;
let port: number;
let hoarder: string;
let other: string;
const sockets = new Set<Socket>();
const root = t.testdir({ var: {}, plugins: {} });
const folder = join(root, "var");
/** Where plugins go that come over the API. */
const dropIn = join(root, "plugins");

t.before(async () => {
  const roles = ["--role", "operate", "--role", "sessions"];
  hoarder = await newKey(t, folder, "hoarder", ...roles);
  other = await newKey(t, folder, "other", ...roles);
  host = await startHost({
    var: folder,
    plugins: [dropIn, join(repository, "plugins")],
    configuration: {
      host: "0.0.0.0",
      limits: { project: projectLimit },
      requests: { bodyTimeout: 1500 },
      security,
    },
  });
  port = Number(new URL(host.url).port);
});
t.afterEach(() => closeAll());
t.teardown(() => host?.stop());

function closeAll(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

/** A connection, and all that comes on it until it ends. */
class Conversation {
  received = "";
  isOver = false;
  readonly over: Promise<string>;

  constructor(
    readonly socket: Socket,
    bytes: string | Buffer = "",
  ) {
    sockets.add(socket);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      this.received += text;
    });
    // What is closed at once may show as an error.
    socket.on("error", () => undefined);
    this.over = new Promise((resolve) => {
      socket.once("close", () => {
        this.isOver = true;
        resolve(this.received);
      });
    });
    socket.write(bytes);
  }

  get status(): number {
    return Number(this.received.slice(9, 12));
  }
}

const open = (bytes: string | Buffer = "", address = "127.0.0.1"): Conversation =>
  new Conversation(connect({ port, host: address }), bytes);

interface Upload {
  method?: string;
  path: string;
  type: string;
  encoding?: string;
  key?: string;
}

/** A request that says it has 10 KB more than it sends. */
function torn({ method = "POST", path, type, encoding, key = hoarder }: Upload, content: Buffer): Buffer {
  const coding = encoding === undefined ? "" : `Content-Encoding: ${encoding}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n${coding}Content-Length: ${content.length + 10_000}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content]);
}

const sessions = { path: "/api/sessions", type: "application/json" };
const text = Buffer.alloc(50_000, " ");

const openSession = (key: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/api/sessions`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", Connection: "close" },
    body: JSON.stringify(project()),
  });

t.test("uploads that stop leave room for the projects of others, and end with 408", async (t) => {
  const large = Buffer.alloc(projectLimit - 10_000, " ");
  const stopped = Array.from({ length: 8 }, () => open(torn(sessions, large)));
  await until(() => stopped.some(({ status }) => status === 503));
  t.equal((await openSession(other)).status, 201);
  await until(() => stopped.every(({ status }) => status > 0));
  t.strictSame([...new Set(stopped.map(({ status }) => status))].sort(), [408, 503]);
  t.equal((await openSession(hoarder)).status, 201, "all of it was given back");
});

t.test("whatever reads a body that stops or trickles, its request ends", async (t) => {
  const form = 'multipart/form-data; boundary="x"';
  const file =
    '--x\r\nContent-Disposition: form-data; name="project"; filename="a.obk"\r\nContent-Type: application/zip\r\n\r\n';
  const plugin = "/EAIWS/plugins/oex/export";
  const begun: Record<string, [Upload, Buffer]> = {
    "a project": [sessions, text],
    "a packed project": [{ ...sessions, encoding: "gzip" }, gzipSync(text)],
    "a form": [{ ...sessions, type: form }, Buffer.concat([Buffer.from(file), text])],
    "a plugin's archive": [{ path: "/api/plugins", type: "application/gzip" }, text],
    "a call of a plugin": [{ path: plugin, type: "application/json" }, text],
    "a packed call": [{ path: plugin, type: "application/json", encoding: "gzip" }, gzipSync(text)],
    "nothing but headers": [sessions, Buffer.alloc(0)],
  };
  const stopped = Object.entries(begun).map(([name, [upload, content]]) => ({
    name,
    said: open(torn(upload, content)),
  }));
  const unread = open(torn({ method: "GET", path: "/healthz", type: "text/plain" }, text)).over;
  const trickling = open(torn(sessions, text));
  const trickle = setInterval(() => trickling.socket.write(" "), 200);
  t.teardown(() => clearInterval(trickle));
  for (const { name, said } of stopped) {
    await until(() => said.received.endsWith("}"));
    const answer = said.received;
    t.match(answer, /^HTTP\/1\.1 408 /, name);
    t.match(answer, /^connection: close\r$/im, name);
    t.match(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))), {
      id: "request-timeout",
      code: 408,
      message: /nothing of its body arrived for 1500 ms/,
    });
  }
  t.match(await unread, /^HTTP\/1\.1 200 /, "an answer that needs no body is there before");
  t.match(await trickling.over, /^HTTP\/1\.1 408 [\s\S]*less than 1000 bytes per second/);
  const left = async (): Promise<string[]> =>
    (await Promise.all([dropIn, join(folder, "tmp")].map((each) => readdir(each)))).flat();
  await until(async () => (await left()).length === 0);
});

t.test("a connection that has nothing to do goes first, one that works stays", async (t) => {
  const followed = await follow("/api/events", hoarder);
  const idle = Array.from({ length: connections + 20 }, (_, index) =>
    open(index % 2 === 0 ? "" : "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "),
  );
  await until(() => idle.filter(({ isOver }) => isOver).length >= 21);
  t.equal((await openSession(other)).status, 201);
  t.notOk(followed.destroyed);
});

/** Follows events from an address of this machine; 503 is an answer too. */
function follow(path: string, key: string, address = "127.0.0.1"): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: "text/event-stream", Authorization: `Bearer ${key}` };
    const request = get({ host: address, port, path, agent: false, headers }, (answer) => {
      answer.on("error", () => undefined).resume();
      resolve(answer);
    });
    request.on("error", reject);
    request.on("socket", (socket) => sockets.add(socket));
  });
}

t.test("a client that follows as much as it can leaves streams for others", async (t) => {
  const followed = await Promise.all(Array.from({ length: 101 }, () => follow("/api/events", hoarder)));
  const statuses = followed.map(({ statusCode }) => statusCode);
  t.strictSame([...new Set(statuses)].sort(), [200, 503]);
  t.equal((await follow("/api/events", other)).statusCode, 200);
  closeAll();
  await until(async () => (await follow("/api/events", hoarder)).statusCode === 200);
});

t.test("an address has its share of the connections and no more", async (t) => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === "IPv4" && !each.internal)?.address;
  if (outside === undefined) return void t.comment("This machine has no address but loopback.");
  const paths = ["/api/events", "/api/requests", "/api/audit"];
  const all = await Promise.allSettled(
    Array.from({ length: connections }, (_, index) => follow(paths[index % 3] ?? "", hoarder, outside)),
  );
  t.equal(all.filter(({ status }) => status === "fulfilled").length, connections / 2);
  t.equal((await openSession(other)).status, 201);
  await t.rejects(follow("/api/events", hoarder, outside));
  const line = await host.logged(({ msg }) => String(msg).includes("security.connectionShare"));
  t.equal(line["address"], outside);
});

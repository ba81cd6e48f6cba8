/**
 * What becomes of calls when the channel between host and instance, or the one at its other end, misbehaves. Tested by
 * itself: no end of the channel in a real host sends such frames.
 */
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { RequestError } from "@slipway/sdk";
import type { Message, Received } from "@slipway/sdk/runtime";
import t, { type Test } from "tap";
import { Channel, ChannelClosed, type ChannelOptions } from "../../host/plugins/instances/channel.js";
import { FrameError, writeFrame } from "../../host/plugins/instances/frame.js";

const maximumFrame = 64 * 1024;

/** Both ends of a real connection. */
async function connected(t: Test): Promise<[Socket, Socket]> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const client = createConnection(address.port, "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  server.close();
  t.teardown(() => {
    client.destroy();
    accepted.destroy();
  });
  return [client, accepted];
}

interface Ended {
  closed: Promise<Error>;
}

function channel(stream: Socket, options: Partial<ChannelOptions> = {}): Channel & Ended {
  let end: (error: Error) => void = () => undefined;
  const closed = new Promise<Error>((resolve) => {
    end = resolve;
  });
  const made = new Channel({
    stream,
    maximumFrame,
    serve: async (_method, message) => message,
    note: () => undefined,
    closed: (error) => end(error),
    ...options,
  });
  return Object.assign(made, { closed });
}

const nothing: Message = { values: {}, parts: [] };

function frame(stream: Socket, kind: string, id: number, parts: (string | Buffer)[] = []): void {
  writeFrame(stream, { kind, id, method: "m", values: {} }, parts, 1024 * 1024);
}

t.test("values, texts and bytes cross as they are, many calls at once, in both directions", async (t) => {
  const [one, other] = await connected(t);
  const here = channel(one);
  const there = channel(other, {
    serve: async (method, { values, parts }) => ({
      values: { method, ...values },
      parts: [...parts].reverse(),
    }),
  });
  const bytes = Buffer.from(Array.from({ length: 256 }, (_value, index) => index));
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_value, index) =>
      here.call("reverse", { values: { index }, parts: ["grün €", bytes, "", String(index)] }),
    ),
  );
  for (const [index, { values, parts }] of answers.entries()) {
    const texts = parts.map((part) => (part.length === 256 ? part.equals(bytes) : part.toString("utf8")));
    const fits = values["index"] === index && values["method"] === "reverse";
    if (!fits || texts.join() !== [String(index), "", true, "grün €"].join())
      t.fail(`answer ${index} differs`);
  }
  t.same((await there.call("back", { values: { a: [1] }, parts: [] })).values, { a: [1] });
  await Promise.all([here.ping(), there.ping()]);
});

t.test("frames come in pieces of any size", async (t) => {
  const [one, other] = await connected(t);
  const there = new Promise<Received>((resolve) =>
    channel(other, { note: (_method, message) => resolve(message) }),
  );
  const pieces: Buffer[] = [];
  const recorder = { cork() {}, uncork() {}, write: (piece: Buffer) => pieces.push(piece) };
  Reflect.apply(writeFrame, undefined, [
    recorder,
    { kind: "note", id: 0, method: "m", values: { a: 1 } },
    ["text"],
    1000,
  ]);
  for (const byte of Buffer.concat(pieces)) {
    one.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { values, parts } = await there;
  t.same([values, parts.map(String)], [{ a: 1 }, ["text"]]);
});

t.test("errors: what is meant for clients crosses, everything else does not", async (t) => {
  const [one, other] = await connected(t);
  const here = channel(one);
  const failures: Record<string, unknown> = {
    meant: new RequestError({
      id: "item-gone",
      code: 422,
      message: "Gone.",
      headers: { "Retry-After": "3" },
    }),
    other: new Error("the password is swordfish"),
    circular: new RequestError({ id: "a-b", code: 400, message: "x", additionalInformation: circular() }),
    large: new RequestError({ id: "a-b", code: 400, message: "x".repeat(maximumFrame) }),
  };
  channel(other, { serve: (method) => Promise.reject(failures[method]) });
  const error = async (method: string) => {
    const failure: unknown = await here.call(method, nothing).catch((reason: unknown) => reason);
    return failure instanceof RequestError ? { ...failure.toObject(), headers: failure.headers } : failure;
  };
  t.match(await error("meant"), {
    id: "item-gone",
    code: 422,
    message: "Gone.",
    headers: { "Retry-After": "3" },
  });
  for (const method of ["other", "circular", "large"])
    t.match(await error(method), { id: "internal-error", code: 500 });
  t.notMatch(JSON.stringify(await error("other")), /swordfish/);
});

t.test(
  "a cancel reaches the callee once; a reply that crosses it, or comes late, does no harm",
  async (t) => {
    const [one, other] = await connected(t);
    const here = channel(one);
    let answer: (message: Message) => void = () => undefined;
    let cancelled = 0;
    channel(other, {
      serve: (method, message, signal) => {
        if (method === "echo") return Promise.resolve(message);
        signal.addEventListener("abort", () => {
          cancelled += 1;
        });
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const controller = new AbortController();
    let settled: Promise<void> | undefined;
    const abandoned = (promise: Promise<void>): void => {
      settled = promise;
    };
    const call = here.call("wait", nothing, { signal: controller.signal, abandoned });
    await here.ping();
    controller.abort(new Error("enough"));
    await t.rejects(call, { message: "enough" });
    await here.ping();
    t.equal(cancelled, 1);
    answer(nothing);
    await settled;
    t.pass("whoever gave up learns when the other side is done");

    const quick = new AbortController();
    const answered = await here.call("echo", { values: { a: 1 }, parts: [] }, { signal: quick.signal });
    quick.abort();
    await here.ping();
    t.same(answered.values, { a: 1 });
    await t.rejects(here.call("echo", nothing, { signal: AbortSignal.abort(new Error("before")) }), {
      message: "before",
    });
  },
);

t.test("replies to nothing, twice the same reply and unknown kinds are ignored", async (t) => {
  const [one, other] = await connected(t);
  const here = channel(one);
  other.resume();
  const call = here.call("m", nothing);
  frame(other, "reply", 99, ["nobody asked"]);
  frame(other, "pong", 99);
  frame(other, "cancel", 99);
  frame(other, "invention", 1);
  frame(other, "reply", 1, ["first"]);
  frame(other, "reply", 1, ["second"]);
  t.same((await call).parts.map(String), ["first"]);
});

t.test("a lost reply costs its own call only", async (t) => {
  const [one, other] = await connected(t);
  const here = channel(one);
  channel(other, {
    serve: (method, message) => (method === "lost" ? new Promise(() => undefined) : Promise.resolve(message)),
  });
  const controller = new AbortController();
  const lost = here.call("lost", nothing, { signal: controller.signal });
  t.same((await here.call("other", { values: { b: 2 }, parts: [] })).values, { b: 2 });
  controller.abort(new Error("deadline"));
  await t.rejects(lost, { message: "deadline" });
});

t.test("what is too large is not sent, and the channel goes on", async (t) => {
  const [one, other] = await connected(t);
  const here = channel(one);
  channel(other, { serve: async () => ({ values: {}, parts: ["x".repeat(maximumFrame)] }) });
  await t.rejects(here.call("m", { values: {}, parts: [Buffer.alloc(maximumFrame)] }), FrameError);
  await t.rejects(here.call("m", nothing), { id: "internal-error", message: /too large/ });
  await here.ping();
});

t.test("whoever breaks the format is cut off, before anything large is held", async (t) => {
  const prefix = (rest: number, head: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32BE(rest, 0);
    bytes.writeUInt32BE(head, 4);
    return bytes;
  };
  const withHead = (head: string, rest = head.length): Buffer =>
    Buffer.concat([prefix(rest, head.length), Buffer.from(head)]);
  const complete = { kind: "note", id: 0, method: "m", values: {}, lengths: [] };
  const broken: Record<string, Buffer> = {
    "a huge frame": prefix(0xffffffff, 10),
    "a head longer than its frame": prefix(10, 11),
    "no JSON": withHead("{{"),
    "no object": withHead("[1]"),
    "no id": withHead(JSON.stringify({ ...complete, id: "1" })),
    "no lengths": withHead(JSON.stringify({ ...complete, lengths: [-1] })),
    "parts that are not there": Buffer.concat([
      withHead(
        JSON.stringify({ ...complete, lengths: [500] }),
        JSON.stringify({ ...complete, lengths: [500] }).length + 2,
      ),
      Buffer.from("ab"),
    ]),
    text: Buffer.from("GET / HTTP/1.1\r\n\r\n"),
  };
  for (const [what, bytes] of Object.entries(broken)) {
    const [one, other] = await connected(t);
    const here = channel(one);
    const waiting = here.call("m", nothing);
    waiting.catch(() => undefined);
    other.resume().write(bytes);
    const error = await here.closed;
    t.type(error, FrameError, what);
    await t.rejects(waiting, FrameError);
    await t.rejects(here.call("m", nothing), FrameError);
  }
});

t.test("a torn channel ends every call on both sides", async (t) => {
  const [one, other] = await connected(t);
  const here = channel(one);
  let signal: AbortSignal | undefined;
  const there = channel(other, {
    serve: (_method, _message, ends) => {
      signal = ends;
      return new Promise(() => undefined);
    },
  });
  const waiting = here.call("m", nothing);
  await here.ping();
  one.destroy();
  await t.rejects(waiting, ChannelClosed);
  t.type(await there.closed, ChannelClosed);
  t.equal(signal?.aborted, true);
  await t.rejects(there.call("m", nothing), ChannelClosed);
});

t.test("a peer that asks for too much at a time is told so", async (t) => {
  const [one, other] = await connected(t);
  const here = channel(one);
  channel(other, { serve: () => new Promise(() => undefined) });
  const calls = Array.from({ length: 1025 }, () => here.call("m", nothing));
  await t.rejects(Promise.race(calls), { id: "request-overloaded", code: 503 });
  one.destroy();
  await Promise.allSettled(calls);
});

function circular(): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

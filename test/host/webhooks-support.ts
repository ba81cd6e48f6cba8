/** A receiver of webhooks, and what hosts tell it of jobs. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { checked, Type, Validator } from "@slipway/sdk";
import type { Test } from "tap";
import type { StartedHost } from "../start-host.js";
import { startWorkshop } from "./jobs-support.js";
import { until } from "./plugins-support.js";

/** What a receiver was told. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  /** Address and port. */
  name: string;
  /** How paths are answered, by how often they were asked for; others get 204. */
  answers: Map<string, (answer: ServerResponse, times: number) => void>;
  received: Received[];
  at(path: string): Received[];
}

/** A server that keeps what it gets; it is gone at the end of the test. */
export async function startReceiver(test: Test): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver["answers"] = new Map();
  const at = (path: string) => received.filter((each) => each.path === path);
  const receiver = createServer(async (request, answer) => {
    const { url: path = "", headers } = request;
    received.push({ path, headers, body: await text(request) });
    const respond = answers.get(path);
    if (respond === undefined) answer.writeHead(204).end();
    else respond(answer, at(path).length);
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  test.teardown(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const name = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  return { url: `http://${name}`, name, answers, received, at };
}

/** Settings with which attempts follow at once. */
export const quick = { attempts: 4, pause: 10, timeout: 400 };

/** A host with the plugin `Workshop` in a folder, which may tell a receiver. */
export function startTelling(
  folder: string,
  receiver: Receiver,
  more: Record<string, unknown> = {},
  own: { var?: string } = {},
): Promise<StartedHost> {
  return startWorkshop(folder, {
    ...own,
    configuration: { webhooks: quick, fetch: { allowedInternalHosts: [receiver.name] }, ...more },
  });
}

/** The headers of a request whose end is told. */
export const telling = (url: string) => ({ Prefer: "respond-async", "Slipway-Webhook": url });

const checkWebhook = new Validator().compile(
  Type.Object({
    webhook: Type.Object({
      server: Type.String(),
      state: Type.String(),
      attempts: Type.Integer(),
      next: Type.Optional(Type.String({ format: "date-time" })),
      error: Type.Optional(Type.String()),
    }),
  }),
  "job",
);

/** What a job says of its webhook. */
export async function webhookOf(url: string, id: string) {
  const answer: unknown = await (await fetch(`${url}/api/jobs/${id}`)).json();
  return checked(checkWebhook(answer), "The job has no webhook").webhook;
}

/** The same, once it is in a state. */
export async function settled(url: string, id: string, state: string) {
  await until(async () => (await webhookOf(url, id)).state === state);
  return await webhookOf(url, id);
}

/** The signature as Standard Webhooks 1.0 describes it. */
export function signature({ headers, body }: Received, secret: string): string {
  const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}

const checkSecret = new Validator().compile(
  Type.Object({ signer: Type.String(), secret: Type.String(), previous: Type.Optional(Type.String()) }),
  "secret",
);

/** The secret that a host tells; `path` follows that of the operation. */
export async function secretOf(url: string, init: RequestInit = {}, path = "") {
  const answer: unknown = await (await fetch(`${url}/api/webhook-secret${path}`, init)).json();
  return checked(checkSecret(answer), "There is no secret");
}

/** A small balancer for hosts on one machine: each request goes to the ready host with the fewest requests. Uses the part itself. */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "../../host/system/errors.js";

/** Milliseconds between two looks at `/readyz`. */
const lookEvery = 200;
/** Milliseconds after which a host counts as not ready that does not answer there. */
const lookLimit = 2000;

interface Backend {
  url: URL;
  isReady: boolean;
  /** Requests under way. */
  running: number;
}

export class Balancer {
  readonly url: string;
  private readonly server = createServer((incoming, answer) => this.pass(incoming, answer));
  private readonly agent = new Agent({ keepAlive: true });
  private backends: readonly Backend[] = [];
  private stopped = false;

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Listens on a port of 127.0.0.1. */
  static async start(port: number): Promise<Balancer> {
    const balancer = new Balancer(port);
    balancer.server.listen(port, "127.0.0.1");
    await once(balancer.server, "listening");
    return balancer;
  }

  /** The addresses of the hosts, in place of those before. */
  async use(urls: readonly string[]): Promise<void> {
    const known = this.backends;
    this.backends = urls.map(
      (url) =>
        known.find((each) => each.url.href === new URL(url).href) ?? {
          url: new URL(url),
          isReady: false,
          running: 0,
        },
    );
    await Promise.all(this.backends.map(lookAt));
    for (const backend of this.backends) if (!known.includes(backend)) void this.watch(backend);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.server.close();
    this.server.closeAllConnections();
    this.agent.destroy();
  }

  /** Each host by itself: one that does not answer holds up no other. */
  private async watch(backend: Backend): Promise<void> {
    while (!this.stopped && this.backends.includes(backend)) {
      await lookAt(backend);
      await pause(lookEvery);
    }
  }

  /** A request whose host refuses the connection goes to another one. One that a host may have seen does not: 502. */
  private pass(incoming: IncomingMessage, answer: ServerResponse, refused: readonly Backend[] = []): void {
    const backend = this.chosen(refused);
    if (backend === undefined) fail(answer, 503, "no host is ready");
    else
      this.passTo(backend, incoming, answer, () => {
        backend.isReady = false;
        this.pass(incoming, answer, [...refused, backend]);
      });
  }

  private passTo(
    backend: Backend,
    incoming: IncomingMessage,
    answer: ServerResponse,
    refused: () => void,
  ): void {
    const { hostname, port } = backend.url;
    const { method, headers, url: path } = incoming;
    const outgoing = request({ hostname, port, agent: this.agent, method, path, headers });
    backend.running += 1;
    outgoing.once("close", () => {
      backend.running -= 1;
    });
    answer.once("close", () => outgoing.destroy());
    // Not before there is a connection: what is sent to one that is refused cannot be sent to another.
    outgoing.once("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => incoming.pipe(outgoing));
      else incoming.pipe(outgoing);
    });
    outgoing.once("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.once("error", () => answer.destroy());
      response.pipe(answer);
    });
    outgoing.once("error", (error) => {
      if (answer.destroyed) return;
      if (errorCode(error) === "ECONNREFUSED") refused();
      else if (answer.headersSent) answer.destroy();
      else fail(answer, 502, "the host ended");
    });
  }

  private chosen(refused: readonly Backend[]): Backend | undefined {
    return this.backends
      .filter((backend) => backend.isReady && !refused.includes(backend))
      .sort((one, other) => one.running - other.running)[0];
  }
}

async function lookAt(backend: Backend): Promise<void> {
  try {
    const answer = await fetch(new URL("/readyz", backend.url), { signal: AbortSignal.timeout(lookLimit) });
    await answer.arrayBuffer();
    backend.isReady = answer.ok;
  } catch {
    backend.isReady = false;
  }
}

function fail(answer: ServerResponse, status: number, reason: string): void {
  answer.writeHead(status, { "Content-Type": "text/plain", "Retry-After": "1" }).end(`${reason}\n`);
}

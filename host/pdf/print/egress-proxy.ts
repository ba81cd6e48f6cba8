import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Log } from "@slipway/sdk";
import type { DocumentOrigins } from "./document-origins.js";

/**
 * The proxy that is the browser's only way out. It answers the addresses of running documents and refuses everything
 * else: other hosts, other methods, tunnels (and with them https and WebSocket).
 */
export class EgressProxy {
  private readonly server: Server;

  constructor(
    private readonly origins: DocumentOrigins,
    private readonly log: Log,
  ) {
    this.server = createServer({ keepAliveTimeout: 600_000 }, (request, response) =>
      this.serve(request, response),
    );
    this.server.on("connect", (request, socket) => {
      this.refuse(request);
      socket.on("error", () => socket.destroy());
      socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    });
    this.server.on("upgrade", (request, socket) => {
      this.refuse(request);
      socket.destroy();
    });
    this.server.on("clientError", (_error, socket) => socket.destroy());
  }

  /** Listens on a free port of 127.0.0.1 and returns it. */
  async start(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(0, "127.0.0.1", resolve);
    });
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    return address.port;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    this.answer(request, response, gone.signal).catch((error: unknown) => {
      if (gone.signal.aborted) return;
      this.log.warn("a resource of a document could not be loaded", { error });
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse, gone: AbortSignal): Promise<void> {
    // A proxy is asked with the full address; anything else does not come from our browser.
    const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
    const found = url && request.method === "GET" ? await this.origins.answer(url, gone) : undefined;
    if (found === undefined) {
      this.refuse(request);
      response.writeHead(403, { "cache-control": "no-store", "content-length": 0 }).end();
      return;
    }
    response.writeHead(200, {
      "content-type": found.mediaType,
      "content-length": found.content.length,
      "cache-control": found.kept ? "public, max-age=31536000, immutable" : "no-store",
      "x-content-type-options": "nosniff",
      // Fonts are fetched across origins; the address itself is the secret that admits.
      "access-control-allow-origin": "*",
      ...(found.contentSecurityPolicy ? { "content-security-policy": found.contentSecurityPolicy } : {}),
    });
    response.end(found.content);
  }

  private refuse(request: IncomingMessage): void {
    // The host alone: paths and queries of documents may be secrets.
    const host = URL.canParse(request.url ?? "") ? new URL(request.url ?? "").host : undefined;
    this.log.debug("the browser was refused an address", { method: request.method, host });
  }
}

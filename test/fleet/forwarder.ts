/**
 * Passes TCP connections on to an address that can change, as a virtual address of a database does, and can stop passing, as a
 * network that is cut does: connections stay, and nothing comes.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export class Forwarder {
  private readonly server = createServer((socket) => this.pass(socket));
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  /** Connections so far, also those that led nowhere. */
  connections = 0;

  private constructor(
    readonly port: number,
    private target: number,
    private readonly sent: (data: Buffer) => void,
  ) {}

  /** Listens on a port of 127.0.0.1; `target` is another one. `sent` sees what goes there, before it goes. */
  static async start(
    port: number,
    target: number,
    sent: (data: Buffer) => void = () => undefined,
  ): Promise<Forwarder> {
    const forwarder = new Forwarder(port, target, sent);
    forwarder.server.listen(port, "127.0.0.1");
    await once(forwarder.server, "listening");
    return forwarder;
  }

  /** The same address, where this forwarder listens. */
  addressOf(url: string): string {
    const address = new URL(url);
    address.port = String(this.port);
    return address.href;
  }

  /** New connections go to another port; those of before end. */
  lead(target: number): void {
    this.target = target;
    this.endAll();
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** What was sent meanwhile arrives late, as from a network that is whole again. */
  heal(): void {
    this.isCut = false;
    for (const socket of this.sockets) socket.resume();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.endAll();
  }

  private endAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private pass(incoming: Socket): void {
    const outgoing = connect(this.target, "127.0.0.1");
    this.connections += 1;
    incoming.on("data", this.sent);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (data) => {
        if (!to.write(data)) from.pause();
      });
      to.on("drain", () => {
        if (!this.isCut) from.resume();
      });
      from.on("error", () => to.destroy());
      from.on("end", () => to.end());
      from.on("close", () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
    if (this.isCut) for (const socket of [incoming, outgoing]) socket.pause();
  }
}

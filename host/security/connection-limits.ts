import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { isLoopback, plainAddress, trustOf } from "../system/addresses.js";
import { networkOf } from "./rate-limit.js";

const tellingPause = 60_000;

export interface ConnectionLimits {
  /** Maximum number of open connections. */
  most: number;
  /** Maximum number of open connections from one address. */
  mostOfAddress: number;
  /** Whether an address is exempt from its own limit. */
  isExempt(address: string): boolean;
  /** Called when a new connection is closed; with an address if its own limit is reached. */
  refused(address?: string): void;
}

/** The configured limits; logs refused connections at most once a minute. */
export function connectionLimits(
  { security, trustedProxies }: Pick<Configuration, "security" | "trustedProxies">,
  log: Log,
): ConnectionLimits {
  const { connections, connectionShare } = security;
  const trust = trustOf(trustedProxies);
  let told = Number.NEGATIVE_INFINITY;
  return {
    most: connections,
    mostOfAddress: Math.ceil(connections * connectionShare),
    isExempt: (address) => isLoopback(address) || trust(address),
    refused(address) {
      const now = performance.now();
      if (now - told < tellingPause) return;
      told = now;
      if (address === undefined)
        log.warn("New connections are closed, because the limit security.connections is reached");
      else
        log.warn(
          "New connections of an address are closed, because it has as many as security.connectionShare allows; a proxy belongs into trustedProxies",
          { address },
        );
    },
  };
}

interface Connection {
  socket: Socket;
  network: string;
  /** Requests in progress. */
  requests: number;
}

/**
 * Limits the connections of a server. Above the limit, a new connection replaces the one that has been idle longest, or
 * is closed if none is idle. Idle connections have no request in progress, even if they never sent a complete one.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const open = new OpenConnections();
  server.on("connection", (socket) => {
    const address = plainAddress(socket.remoteAddress ?? "");
    const network = networkOf(address);
    const hasShare = open.of(network) >= limits.mostOfAddress && !limits.isExempt(address);
    const isFull = hasShare || open.size >= limits.most;
    if (!isFull || open.closeIdle(hasShare ? network : undefined)) return open.add(socket, network);
    limits.refused(hasShare ? address : undefined);
    socket.destroy();
  });
  server.on("request", ({ socket }, response) => {
    open.begin(socket);
    response.once("close", () => open.end(socket));
  });
}

class OpenConnections {
  private readonly all = new Map<Socket, Connection>();
  private readonly counts = new Map<string, number>();
  /** Longest idle first. */
  private readonly idle = new Set<Connection>();

  get size(): number {
    return this.all.size;
  }

  of(network: string): number {
    return this.counts.get(network) ?? 0;
  }

  add(socket: Socket, network: string): void {
    const connection = { socket, network, requests: 0 };
    this.all.set(socket, connection);
    this.counts.set(network, this.of(network) + 1);
    this.idle.add(connection);
    socket.once("close", () => this.remove(connection));
  }

  /** Closes the longest idle connection, of a network or of all; returns whether there was one. */
  closeIdle(network: string | undefined): boolean {
    for (const connection of this.idle) {
      if (network !== undefined && connection.network !== network) continue;
      this.remove(connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  begin(socket: Socket): void {
    const connection = this.all.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    this.idle.delete(connection);
  }

  end(socket: Socket): void {
    const connection = this.all.get(socket);
    if (connection === undefined) return;
    connection.requests -= 1;
    if (connection.requests === 0) this.idle.add(connection);
  }

  private remove(connection: Connection): void {
    if (!this.all.delete(connection.socket)) return;
    this.idle.delete(connection);
    const count = this.of(connection.network) - 1;
    if (count === 0) this.counts.delete(connection.network);
    else this.counts.set(connection.network, count);
  }
}

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems give to outgoing connections, which would take the port of a server while it is dead. */
const [lowest, highest] = [20_000, 32_000];
const mostTries = 50;

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(lowest, highest);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      if (tries === mostTries) throw error;
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

/** How long the host waits for a link. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t from "tap";
import { outgoingFetch } from "./fetch-support.js";
import { quiet } from "./pdf-support.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

t.test(
  "a server that never ends its answer is given up, whatever memory was collected meanwhile",
  async (t) => {
    const server = createServer((_request, response) => {
      const drops = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(drops));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const name = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fetch = outgoingFetch({ timeout: 500, allowedInternalHosts: [name] }, quiet);
    const asked = new AbortController();
    const answer = fetch(`http://${name}/`, { signal: asked.signal }).catch((error: unknown) => error);
    const ended = answer.then(() => true);
    let isOver = false;
    for (const end = Date.now() + 20_000; !isOver && Date.now() < end; ) {
      collectGarbage();
      isOver = await Promise.race([ended, pause(20, false)]);
    }
    t.ok(isOver, "it ends");
    asked.abort();
    t.match(await answer, { id: "request-timeout", code: 504 });
    server.closeAllConnections();
    server.close();
  },
);

/** How long the host waits for a link. */
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t from "tap";
import { outgoingFetch } from "./fetch-support.js";
import { quiet } from "./pdf-support.js";
import { serve } from "./template-store-support.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

t.test(
  "a server that never ends its answer is given up, whatever memory was collected meanwhile",
  async (t) => {
    const server = await serve((_request, response) => {
      const drops = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(drops));
    });
    t.teardown(server.close);
    const fetch = outgoingFetch({ timeout: 500, allowedInternalHosts: [server.host] }, quiet);
    const asked = new AbortController();
    const answer = fetch(server.url, { signal: asked.signal }).catch((error: unknown) => error);
    const ended = answer.then(() => true);
    let isOver = false;
    for (const end = Date.now() + 20_000; !isOver && Date.now() < end; ) {
      collectGarbage();
      isOver = await Promise.race([ended, pause(20, false)]);
    }
    t.ok(isOver, "it ends");
    asked.abort();
    t.match(await answer, { id: "request-timeout", code: 504 });
  },
);

/** Documents that try to read, call or stay: nothing is read, nothing leaves, nothing hangs. */
import { createSocket } from "node:dgram";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { job, page, pageTexts, startedService, varFolder } from "../../host/pdf-support.js";

const secret = "CANARY-7c1e";

t.test("hostile documents", async (t) => {
  let hits = 0;
  const canary = createServer((_request, response) => {
    hits++;
    response.end(secret);
  });
  canary.on("connection", () => hits++);
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  t.teardown(() => canary.close());
  const port = (canary.address() as AddressInfo).port;
  const datagrams = createSocket("udp4").bind(port, "127.0.0.1");
  datagrams.on("message", () => hits++);
  t.teardown(() => datagrams.close());
  const web = `http://127.0.0.1:${port}`;
  const file = join(t.testdir(), "canary.html");
  writeFileSync(file, secret);
  const local = pathToFileURL(file).href;
  const service = await startedService({ varDirectory: varFolder() });
  t.teardown(() => service.stop());

  const script = (code: string): string => page(`before<script>${code}</script>after`);
  const documents: Record<string, string> = {
    "img, iframe and svg of an internal server": page(
      `before<img src="${web}/i"><iframe src="${web}/f"></iframe><svg><image href="${web}/s"/></svg>after`,
    ),
    "iframe of a file": page(`before<iframe src="${local}"></iframe>after`),
    "object and embed of a file": page(`before<object data="${local}"></object><embed src="${local}">after`),
    "style sheet": page("before after", `<link rel=stylesheet href="${web}/c.css">`),
    "import and background": page(
      "before after",
      `<style>@import "${web}/i.css"; body{background:url(${web}/b)}</style>`,
    ),
    "prefetch, preconnect and dns-prefetch": page(
      "before after",
      `<link rel=prefetch href="${web}/p"><link rel=preconnect href="${web}"><link rel=dns-prefetch href="${web}">`,
    ),
    "meta refresh to an internal server": page(
      "before after",
      `<meta http-equiv="refresh" content="0;url=${web}/r">`,
    ),
    "meta refresh in another spelling": page(
      "before after",
      `<meta http-equiv="re&#102;resh" content="0;url=${web}/r">`,
    ),
    "script: fetch": script(`fetch("${web}/x").then(r=>r.text()).then(x=>document.body.append(x))`),
    "script: WebSocket": script(`new WebSocket("ws://127.0.0.1:${port}/w")`),
    "script: location to a file": script(`location = "${local}"`),
    "script: endless loop": script("for(;;);"),
    "script: form submit": page(
      `before<form id=f action="${web}/post" method=post></form>after<script>f.submit()</script>`,
    ),
    "script: WebRTC and beacon": script(
      `new RTCPeerConnection({iceServers:[{urls:"stun:127.0.0.1:${port}"}]}).createOffer({offerToReceiveAudio:1}); navigator.sendBeacon("${web}/b")`,
    ),
    "base and relative addresses": page('before<img src="x.png">after', `<base href="${web}/">`),
    "policy that would stay": page(
      "before after",
      `<meta http-equiv="Content-Security-Policy" content="img-src 'none'">`,
    ),
  };
  const refused = /^meta refresh/;

  for (const [name, html] of Object.entries(documents)) {
    t.test(name, async (t) => {
      if (refused.test(name)) {
        await t.rejects(service.print(job(html)), { code: 500, id: "template-error" });
      } else {
        const texts = await pageTexts((await service.print(job(html))).content);
        t.match(texts.join(" "), /before.*after/);
        t.notMatch(texts.join(" "), secret);
      }
      t.strictSame(
        await pageTexts((await service.print(job(page("next")))).content),
        ["next"],
        "the next one is fine",
      );
    });
  }

  // Templates may ask for scripts; what they can reach is the same, and a loop costs nobody else anything.
  for (const [name, html] of Object.entries(documents).filter(([name]) => name.startsWith("script"))) {
    t.test(`${name}, scripts on`, async (t) => {
      const scripted = service.print(job(html, { scripts: true, deadline: Date.now() + 2000 })).then(
        async (printed) => (await pageTexts(printed.content)).join(" "),
        (error: unknown) => error,
      );
      const result = await scripted;
      if (typeof result === "string") t.notMatch(result, secret);
      else
        t.match(
          result,
          /loop/.test(name) ? { code: 504, id: "request-timeout" } : { code: 500, id: "template-error" },
        );
      t.strictSame(
        await pageTexts((await service.print(job(page("next")))).content),
        ["next"],
        "the next one is fine",
      );
    });
  }

  t.test("nothing of all this reached the server", async (t) => {
    t.equal(hits, 0);
    t.match(await (await fetch(web)).text(), secret, "which would have answered");
    t.ok(hits > 0, "and counted");
    t.equal(service.health().restarts, 0);
  });
});

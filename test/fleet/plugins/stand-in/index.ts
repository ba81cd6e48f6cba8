/** Stands in for a renderer: it waits for as long as a report takes, and stores a file. What it stores follows from the request. */
import { setTimeout as pause } from "node:timers/promises";
import { definePlugin, route, SessionId, Type } from "@slipway/sdk";

export default definePlugin({
  setup: (host) => ({
    routes: [
      route.post("report", {
        summary: "Waits, and stores a file.",
        body: Type.Object({
          sessionId: SessionId,
          /** What the file consists of, again and again. */
          text: Type.String({ minLength: 1 }),
          bytes: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
          /** Milliseconds. */
          wait: Type.Integer({ minimum: 0, maximum: 60_000 }),
        }),
        response: Type.Object({ url: Type.String(), project: Type.String() }),
        session: "required",
        async handler({ body: { text, bytes, wait }, session, progress }) {
          const { header } = await session.project();
          progress(0.5, "waiting");
          await pause(wait);
          const { url } = await host.files.create({
            name: "report.bin",
            mediaType: "application/octet-stream",
            content: Buffer.alloc(bytes, text),
          });
          return { url, project: header.name ?? "" };
        },
      }),
    ],
  }),
});

import { Type } from "@slipway/sdk";
import { Nothing, type Operation, operation, Unread } from "./operation.js";

/** What answers a scrape. */
export interface Scraped {
  readonly mediaType: string;
  scrape(): Promise<string>;
}

/** The metrics for a monitoring system. */
export function metricsOperations(metrics: Scraped): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/metrics",
      id: "getMetrics",
      tag: "host",
      summary: "Numbers for monitoring",
      description: "In the text format of Prometheus, version 0.0.4.",
      roles: ["read"],
      params: Nothing,
      query: Unread,
      body: Unread,
      answers: {
        200: { description: "All metrics as they are now.", content: { "text/plain": Type.String() } },
      },
      async handle(ctx) {
        const text = await metrics.scrape();
        ctx.type = metrics.mediaType;
        ctx.body = text;
      },
    }),
  ];
}

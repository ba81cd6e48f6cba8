/**
 * Finishes reports without attachments, and plans how files get into finished ones, one after the other, beside the event
 * loop of the host.
 */
import { parentPort } from "node:worker_threads";
import { planUpdate } from "@slipway/sdk/runtime/pdf";
import { errorStack } from "../../system/errors.js";
import { finish } from "./finish.js";
import type { ThreadOrder } from "./finishing-threads.js";

parentPort?.on("message", async (order: ThreadOrder) => {
  const reply = await done(order).catch((error: unknown) => ({
    failure: errorStack(error),
  }));
  parentPort?.postMessage(reply);
});

async function done(order: ThreadOrder): Promise<unknown> {
  return "report" in order ? await finish(order) : planUpdate(order.pdf, order.files, order.statement);
}

/** Finishes reports without attachments, one after the other, beside the event loop of the host. */
import { parentPort } from "node:worker_threads";
import { finish } from "./finish.js";
import type { FinishOrder } from "./finish-messages.js";

parentPort?.on("message", async (order: FinishOrder) => {
  const reply = await finish(order).catch((error: unknown) => ({
    failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  parentPort?.postMessage(reply);
});

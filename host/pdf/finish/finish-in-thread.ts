/** Finishes reports without attachments, one after the other, beside the event loop of the host. */
import { parentPort } from "node:worker_threads";
import { errorStack } from "../../system/errors.js";
import { finish } from "./finish.js";
import type { FinishOrder } from "./finish-messages.js";

parentPort?.on("message", async (order: FinishOrder) => {
  const reply = await finish(order).catch((error: unknown) => ({
    failure: errorStack(error),
  }));
  parentPort?.postMessage(reply);
});

/**
 * Finishes one report in a process of its own: attachments are foreign input, and neither an endless loop nor a
 * document that unpacks to gigabytes may harm the host. (A thread would not do: the memory limit of a thread does not
 * cover buffers.) The process is never used again.
 */

import { guardAgainstOrphanhood } from "../../system/child-process.js";
import { errorStack } from "../../system/errors.js";
import { finish } from "./finish.js";
import type { FinishOrder } from "./finish-messages.js";

guardAgainstOrphanhood(process.ppid);

process.once("message", async (order: FinishOrder) => {
  const reply = await finish(order).catch((error: unknown) => ({
    failure: errorStack(error),
  }));
  process.send?.(reply, () => process.disconnect());
});

// Ctrl+C and service managers signal this process along with the host, which lets running reports finish.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);

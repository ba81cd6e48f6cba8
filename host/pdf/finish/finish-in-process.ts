/**
 * Finishes one report in a separate process: attachments are foreign input, and neither an endless loop nor a
 * document that unpacks to gigabytes may harm the host. (A thread would not do: the memory limit of a thread does not
 * cover buffers.) The process is never used again.
 */
import { answerHost } from "../../system/child-process.js";
import { errorStack } from "../../system/errors.js";
import { finish } from "./finish.js";
import type { FinishOrder } from "./finish-messages.js";

answerHost((_bytes, order: FinishOrder) =>
  finish(order).catch((error: unknown) => ({ failure: errorStack(error) })),
);

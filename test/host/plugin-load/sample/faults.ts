/** What a plugin must not do. */
import type { Host } from "@slipway/sdk";

export const faultNames = [
  "throw",
  "wrong-answer",
  "flood",
  "exit",
  "heap",
  "uncaught-error",
  "unhandled-rejection",
  "endless-loop",
  "endless-promise",
] as const;
export type FaultName = (typeof faultNames)[number];

const never = new Promise<never>(() => undefined);
const floodLines = 20_000;

/** Does it. What returns is the handler's answer. */
export function commit(fault: FaultName, host: Host): unknown {
  switch (fault) {
    case "throw":
      throw new Error("The sample throws.");
    case "exit":
      return process.exit(0);
    case "heap":
      return fillHeap();
    case "uncaught-error":
      setTimeout(() => {
        throw new Error("The sample throws in a timer.");
      }, 5);
      return never;
    case "unhandled-rejection":
      setTimeout(() => void Promise.reject(new Error("The sample rejects later.")), 5);
      return { done: 1 };
    case "endless-loop":
      for (;;);
    case "endless-promise":
      return never;
    case "flood":
      for (let line = 0; line < floodLines; line++) {
        host.log.info("The sample has much to say", { line });
        console.log(`line ${line} of ${floodLines}`);
      }
      return { done: floodLines };
    case "wrong-answer":
      return { done: "much" };
  }
}

function fillHeap(): never {
  const map = new Map<number, unknown>();
  for (let index = 0; ; index += 1) map.set(index, { index, text: `entry ${index}` });
}

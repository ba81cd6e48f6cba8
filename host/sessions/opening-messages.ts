/** What host and opening process say to each other. */
import type { AbortingError } from "@slipway/sdk";
import type { OpenedProject } from "./open-project.js";
import type { DeclaredFormat } from "./project-format.js";

/** How to open the bytes that come before. */
export interface OpeningQuestion {
  declared: DeclaredFormat;
  /** SHA-256 of the assets that may come without their bytes. */
  held: ReadonlySet<string>;
}

/** The project, what is wrong with it, or the stack of a failure that is the host's own. */
export type OpeningAnswer = { project: OpenedProject } | { refused: AbortingError } | { failed: string };

/** Checks what the process sent; the project itself is checked where it is opened. Throws when it is no answer. */
export function openingAnswer(message: unknown): OpeningAnswer {
  if (isAnswer(message)) return message;
  throw new Error("The process that opens projects sent an unexpected message.");
}

function isAnswer(message: unknown): message is OpeningAnswer {
  if (typeof message !== "object" || message === null) return false;
  return "project" in message || "refused" in message || "failed" in message;
}

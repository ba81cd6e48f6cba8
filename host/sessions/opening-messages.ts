/** Messages between the host and the opening process. */
import type { AbortingError } from "@slipway/sdk";
import type { OpenedProject } from "./open-project.js";
import type { DeclaredFormat } from "./project-format.js";

/** Options for opening the bytes that precede them. */
export interface OpeningQuestion {
  declared: DeclaredFormat;
  /** SHA-256 of the assets that may come without their bytes. */
  held: ReadonlySet<string>;
}

/** A format that the project before it is written in; an OBX has the named items with all that is in them. */
export type WrittenFormat = { format: "obk" } | { format: "obx"; items: readonly string[] };

/** The project, the file, their problems, or the stack of an internal failure. */
export type OpeningAnswer =
  | { project: OpenedProject }
  | { file: Uint8Array }
  | { refused: AbortingError }
  | { failed: string };

/** Checks the kind of a reply; the project itself was validated in the process. Throws for another message. */
export function openingAnswer(message: unknown): OpeningAnswer {
  if (isAnswer(message)) return message;
  throw new Error("The process that opens projects sent an unexpected message.");
}

function isAnswer(message: unknown): message is OpeningAnswer {
  if (typeof message !== "object" || message === null) return false;
  return "project" in message || "file" in message || "refused" in message || "failed" in message;
}

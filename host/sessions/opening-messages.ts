/** What host and opening process say to each other. */
import type { AbortingError } from "@slipway/sdk";
import type { OpenedProject } from "./open-project.js";
import type { DeclaredFormat } from "./project-format.js";

export interface OpeningQuestion {
  bytes: Uint8Array;
  declared: DeclaredFormat;
  /** SHA-256 of the assets that may come without their bytes. */
  held: ReadonlySet<string>;
}

/** The project, what is wrong with it, or the stack of a failure that is the host's own. */
export type OpeningAnswer = { project: OpenedProject } | { refused: AbortingError } | { failed: string };

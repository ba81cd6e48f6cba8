/** Replaced in every copy. */
import type { FaultName } from "./faults.js";

export const behaviour: { setup: "fine" | "throws"; probe: "fine" | "throws"; answers: "fine" | FaultName } =
  {
    setup: "fine",
    probe: "fine",
    answers: "fine",
  };

import { settlesWithin } from "../timing.js";
import type { Intake } from "./place.js";

/** How long a start waits for what is still being copied, in milliseconds. */
const longest = 3000;

/** What was copied just before the start is worth a moment: clients would find nothing otherwise. */
export class Patience {
  private changed: () => void = () => undefined;

  /** Something that lies in the places has come to something. */
  noteChange(): void {
    this.changed();
  }

  /** Resolves when nothing is being copied any more, or when that takes too long. */
  async settled(intake: Intake): Promise<void> {
    const end = performance.now() + longest;
    while (isWaiting(intake) && performance.now() < end) {
      const change = new Promise<void>((resolve) => {
        this.changed = resolve;
      });
      await settlesWithin(change, Math.max(0, end - performance.now()));
    }
  }
}

function isWaiting(intake: Intake): boolean {
  return intake.places().some(({ record }) => record.current.stage === "waiting");
}

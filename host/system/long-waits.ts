import { monotonicTime } from "./time.js";

/** Milliseconds after which a wait is reported, and between checks. */
const longWait = 1000;
const pollInterval = 250;

/** The current wait. */
export interface Wait {
  /** Identifies the wait. */
  key: string;
  /** A sentence. */
  text: string;
  /** It has already taken long. */
  isLong?: boolean;
}

/** Reports each wait of more than a second once. Returns a function that ends this. */
export function tellLongWaits(current: () => Wait | undefined, tell: (text: string) => void): () => void {
  let before: { key: string; since: number; isTold: boolean } | undefined;
  const look = (): void => {
    const wait = current();
    if (wait === undefined) {
      before = undefined;
      return;
    }
    const { key, text, isLong = false } = wait;
    if (before?.key !== key) before = { key, since: monotonicTime(), isTold: false };
    if (before.isTold || (!isLong && monotonicTime() - before.since < longWait)) return;
    before.isTold = true;
    tell(text);
  };
  look();
  const timer = setInterval(look, pollInterval);
  timer.unref();
  return () => clearInterval(timer);
}

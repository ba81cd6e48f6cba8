import { Worker } from "node:worker_threads";

/** What comes from a host's `ProcessPool`: bytes in pieces, then the question. */
type PoolMessage<Question> = { piece: Uint8Array } | { question: Question };

/** The part of a program that an `AnsweringProcess` runs. Answers one question at a time, and ends with the host. */
export function answerHost<Question, Answer extends object>(
  answer: (bytes: Uint8Array, question: Question) => Promise<Answer>,
): void {
  guardAgainstOrphanhood(process.ppid);
  let pieces: Uint8Array[] = [];
  process.on("message", (message: PoolMessage<Question>) => {
    if ("piece" in message) return void pieces.push(message.piece);
    const [first, ...others] = pieces;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(pieces);
    pieces = [];
    answer(bytes, message.question).then((reply) => process.send?.(reply));
  });
  process.on("disconnect", () => process.exit());
  // Ctrl+C and service managers signal this process along with the host, which lets running requests finish.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
}

/**
 * Ends this process when its parent is gone, even while the event loop is blocked, which then never sees that its
 * channel closed. A thread of its own looks at the parent, because the main thread may never look again. `end` must not
 * refer to anything outside of itself: the thread gets its text.
 */
export function guardAgainstOrphanhood(parent: number, end: () => void = endProcess): void {
  const guard = new Worker(`setInterval(() => { if (process.ppid !== ${parent}) (${end})(); }, 1000);`, {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  guard.unref();
}

/** Ends this process at once. */
function endProcess(): void {
  process.kill(process.pid, "SIGKILL");
}

/** Ends this process at once, and with it what it started: for a process that leads a group of its own. */
export function endProcessGroup(): void {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
}

/** Messages of a host's `ProcessPool`: bytes in pieces, then the question. */
type PoolMessage<Question> = { piece: Uint8Array } | { question: Question };

/** The part of a program that an `AnsweringProcess` runs. Answers one question at a time, and ends with the host. */
export function answerHost<Question, Answer extends object>(
  answer: (bytes: Uint8Array, question: Question) => Promise<Answer>,
): void {
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

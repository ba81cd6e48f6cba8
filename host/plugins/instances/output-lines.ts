import type { Readable } from "node:stream";

const maximumLine = 4000;
const bytesPerSecond = 64 * 1024;

/**
 * Hands on what a process prints, line by line. Lines are cut, and a process that prints more than the log should take
 * waits: it is not read any further until the next second, so that printing costs the host next to nothing.
 */
export function eachLine(stream: Readable, line: (text: string) => void): void {
  let rest = "";
  let budget = bytesPerSecond;
  const refill = setInterval(() => {
    budget = bytesPerSecond;
    stream.resume();
  }, 1000);
  refill.unref();
  const emit = (text: string): void => {
    const trimmed = text.trimEnd();
    if (trimmed !== "") line(trimmed.length > maximumLine ? `${trimmed.slice(0, maximumLine)}…` : trimmed);
  };
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const each of lines) emit(each);
    if (rest.length > maximumLine) {
      emit(rest);
      rest = "";
    }
    budget -= chunk.length;
    if (budget < 0) stream.pause();
  });
  stream.on("close", () => {
    clearInterval(refill);
    emit(rest);
  });
  stream.on("error", () => undefined);
}

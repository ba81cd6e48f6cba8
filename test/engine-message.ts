import { compileFunction, runInThisContext } from "node:vm";

/** What the running engine says of code that fails: its words are its own, and change with its versions. */
export function engineMessage(code: string): string {
  try {
    runInThisContext(`"use strict"; ${code}`);
  } catch (error) {
    // Its class is that of this context.
    if (error instanceof Error) return error.message;
  }
  throw new Error(`The engine finds no mistake in ${code}.`);
}

/** Whether the running engine compiles code as the body of a function. */
export function isKnownToEngine(code: string): boolean {
  try {
    compileFunction(code);
    return true;
  } catch {
    return false;
  }
}

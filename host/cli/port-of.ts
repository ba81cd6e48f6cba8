import { InvalidArgumentError } from "commander";

/** The value of an option for a port; 0 picks a free one. */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}

import { printable } from "../system/terminal-text.js";
import { WrongUse } from "./command-group.js";
import { didYouMean } from "./did-you-mean.js";

/** Minimum length of a prefix. */
const shortest = 8;

/** End of ids that are shortened for keys without the role. */
const shortened = "…";

/**
 * The id that begins with a text. `whole`: its length. `list`: all ids. Throws `WrongUse` for a text that is too short, and an
 * error for users when none or more than one fits.
 */
export async function wholeId(
  beginning: string,
  { what, whole, list }: { what: "session" | "job"; whole: number; list: () => Promise<string[]> },
): Promise<string> {
  if (beginning.length < shortest)
    throw new WrongUse(
      `"${printable(beginning)}" is too short: an id needs its first ${shortest} characters.`,
    );
  if (beginning.length >= whole) return beginning;
  const ids = await list();
  const [found, another] = ids.filter((id) => id.startsWith(beginning));
  if (found === undefined) {
    const beginnings = ids.map((id) => id.slice(0, shortest));
    throw new Error(`No ${what} begins with "${printable(beginning)}".${didYouMean(beginning, beginnings)}`);
  }
  if (another !== undefined)
    throw new Error(`More than one ${what} begins with "${printable(beginning)}"; name more of its id.`);
  if (found.endsWith(shortened))
    throw new Error(
      `The beginning of an id is enough only with a key with the role "sessions", or without keys at all.`,
    );
  return found;
}

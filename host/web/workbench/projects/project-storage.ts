/** Stores the chosen template and the export settings of each project in this tab. */
import { tabStorage } from "../../client/browser-storage.js";

const prefix = "slipway-project ";

/** Storage key for a part of a project. */
export function projectEntry(sessionId: string, part: string): string {
  return `${prefix}${sessionId} ${part}`;
}

/** Removes the entries of a project. */
export function forgetProject(sessionId: string): void {
  forgetEntries((owner) => owner === sessionId);
}

/** Removes the entries of projects that are no longer open. */
export function forgetOtherProjects(open: readonly string[]): void {
  forgetEntries((owner) => !open.includes(owner));
}

function forgetEntries(isUnwanted: (sessionId: string) => boolean): void {
  for (const name of tabStorage.names())
    if (name.startsWith(prefix) && isUnwanted(name.slice(prefix.length).split(" ")[0] ?? ""))
      tabStorage.forget(name);
}

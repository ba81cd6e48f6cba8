/** What this tab keeps of each project besides which ones are open: a chosen template, the settings of exports. */
import { tabStorage } from "../../client/browser-storage.js";

const prefix = "slipway-project ";

/** The name under which a part of a project is kept. */
export function projectEntry(sessionId: string, part: string): string {
  return `${prefix}${sessionId} ${part}`;
}

/** Removes what is kept of a project. */
export function forgetProject(sessionId: string): void {
  forgetEntries((owner) => owner === sessionId);
}

/** Removes what is left of projects that are not open any more. */
export function forgetOtherProjects(open: readonly string[]): void {
  forgetEntries((owner) => !open.includes(owner));
}

function forgetEntries(isUnwanted: (sessionId: string) => boolean): void {
  for (const name of tabStorage.names())
    if (name.startsWith(prefix) && isUnwanted(name.slice(prefix.length).split(" ")[0] ?? ""))
      tabStorage.forget(name);
}

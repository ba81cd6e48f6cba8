/** Which version has to answer from when on. */
import type { Answer } from "./load.js";

export interface Switch {
  /** Name of the one request that goes to it; without it, all of the plugin. */
  request?: string | undefined;
  plugin: string;
  /** Such as "oex@1.0.7". */
  label: string;
  /** Of `performance.now()`. */
  at: number;
}

/**
 * Good answers of a version that had no business any more: the request was sent after the host had switched to another
 * one, and no later switch went back. Sentences for people.
 */
export function staleAnswers(answers: readonly Answer[], switches: readonly Switch[]): string[] {
  return answers.flatMap(({ plugin, request, label, began, failure }) => {
    if (failure !== undefined || label === undefined) return [];
    const own = switches.filter(
      (each) => each.plugin === plugin && (each.request === undefined || each.request === request),
    );
    const current = own.findLastIndex(({ at }) => at < began);
    if (current < 0 || own.slice(current).some((each) => each.label === label)) return [];
    const late = (began - (own[current]?.at ?? began)).toFixed(0);
    return [
      `${request}, sent ${late} ms after the switch to ${own[current]?.label}, was answered by ${label}`,
    ];
  });
}

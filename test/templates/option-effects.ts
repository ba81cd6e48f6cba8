import type { Test } from "tap";

/** What an option with this value takes from the text of a report, and what it adds to it. */
export type OptionEffect = [option: string, value: unknown, effect: { lost?: string[]; won?: string[] }];

/** Compares the text of each report that `print` makes with one option with the text of the usual report. */
export async function checkOptionEffects(
  t: Test,
  usual: string,
  effects: readonly OptionEffect[],
  print: (options: Record<string, unknown>) => Promise<{ text: string }>,
): Promise<void> {
  for (const [key, value, { lost = [], won = [] }] of effects) {
    const { text } = await print({ [key]: value });
    for (const each of lost) {
      t.ok(usual.includes(each), `${key}: "${each}" is there by default`);
      t.notOk(text.includes(each), `${key}: "${each}" is gone`);
    }
    for (const each of won) {
      t.notOk(usual.includes(each), `${key}: "${each}" is not there by default`);
      t.ok(text.includes(each), `${key}: "${each}" is there`);
    }
  }
}

import { describe } from "@slipway/sdk";

/** An invalid setting. */
export interface Mistake {
  /** Its source, such as "flag --port". */
  source: string;
  /** Such as "sessions.lifetime". */
  key: string;
  expected: string;
  /** The value as JSON. */
  value: string;
}

/** Prevents the start; its message lists every mistake. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  constructor(readonly mistakes: readonly Mistake[]) {
    const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
    super(
      `The configuration has ${count}:\n${mistakes.map((each) => `  ${describeMistake(each)}`).join("\n")}`,
    );
  }
}

const mostTold = 10;

/** The mistakes in one sentence, without paths and values, for readers who may not see the configuration. */
export function mistakesWithoutValues({ mistakes }: ConfigurationError): string {
  const told = mistakes.slice(0, mostTold).map(({ key, expected }) => describe({ path: key, expected }));
  const more = mistakes.length > mostTold ? [`and ${mistakes.length - mostTold} more`] : [];
  return `The configuration was refused: ${[...told, ...more].join("; ")}.`;
}

/** One mistake with its source as a clause, such as "`port` must be an integer, but is 12.5 (flag --port)". */
export function describeMistake({ key, expected, value, source }: Mistake): string {
  // The source names the file.
  const path = key === "(whole file)" ? "" : key;
  return `${describe({ path, expected, received: value })} (${source})`;
}

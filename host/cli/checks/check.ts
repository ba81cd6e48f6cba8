/** The result of one check. */
export interface Check {
  name: string;
  ok: boolean;
  /** The finding, or the problem and its fix. */
  detail: string;
  /** Passed, but could be better. */
  hint?: true;
}

/** A passed check. */
export function right(name: string, detail: string): Check {
  return { name, ok: true, detail };
}

/** A failed check; `detail` includes the fix. */
export function wrong(name: string, detail: string): Check {
  return { name, ok: false, detail };
}

/** A passed check with a suggestion. */
export function hint(name: string, detail: string): Check {
  return { name, ok: true, hint: true, detail };
}

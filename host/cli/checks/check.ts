/** One thing that was looked at. */
export interface Check {
  name: string;
  ok: boolean;
  /** The finding, or the problem and its fix. */
  detail: string;
  /** Something is all right that could be better. */
  hint?: true;
}

/** Something is as it should be. */
export function right(name: string, detail: string): Check {
  return { name, ok: true, detail };
}

/** Something keeps the host from serving, or from serving well; `detail` says what mends it. */
export function wrong(name: string, detail: string): Check {
  return { name, ok: false, detail };
}

/** Something works and could be better. */
export function hint(name: string, detail: string): Check {
  return { name, ok: true, hint: true, detail };
}

/** One thing that was looked at. */
export interface Check {
  name: string;
  ok: boolean;
  /** What was found, or what is wrong and how to mend it. */
  detail: string;
  /** Something is all right that could be better. */
  hint?: true;
}

export function right(name: string, detail: string): Check {
  return { name, ok: true, detail };
}

export function wrong(name: string, detail: string): Check {
  return { name, ok: false, detail };
}

export function hint(name: string, detail: string): Check {
  return { name, ok: true, hint: true, detail };
}

/** The reason of an error for people. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Bytes for people, such as "1.5 GB". */
export function size(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  if (megabytes < 1) return `${Math.round(bytes / 1024)} KB`;
  return megabytes < 1024 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}

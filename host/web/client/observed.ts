import { useLayoutEffect, useState } from "preact/hooks";

/** A value that parts of the page follow. */
export class Observed<Value> {
  private readonly listeners = new Set<(value: Value) => void>();

  constructor(private current: Value) {}

  get value(): Value {
    return this.current;
  }

  set(value: Value): void {
    if (Object.is(value, this.current)) return;
    this.current = value;
    for (const listener of [...this.listeners]) listener(value);
  }

  /** Calls for each other value from now on; gives what ends that. */
  follow(listener: (value: Value) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The value as it is; what uses it is drawn again when it is another one. */
export function useObserved<Value>(observed: Observed<Value>): Value {
  const [, draw] = useState({});
  // Effects come after the drawing; what has changed in between would go unseen.
  useLayoutEffect(() => observed.follow(() => draw({})), [observed]);
  return observed.value;
}

import { useLayoutEffect, useState } from "preact/hooks";

/** An observable value. */
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

  /** Calls the listener for each later change; returns a function that removes it. */
  follow(listener: (value: Value) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The current value; the component renders again when it changes. */
export function useObserved<Value>(observed: Observed<Value>): Value {
  const [, draw] = useState({});
  // Effects run after rendering, so the value may have changed in between.
  useLayoutEffect(() => observed.follow(() => draw({})), [observed]);
  return observed.value;
}

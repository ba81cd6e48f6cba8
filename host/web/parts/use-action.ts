import { useState } from "preact/hooks";
import { asError } from "../../system/errors.js";

/** An operation that a person starts. */
export interface Action<Given extends unknown[]> {
  run(...given: Given): void;
  isBusy: boolean;
  /** Why the last run failed. */
  failure: Error | undefined;
}

/** Tracks whether an operation runs, and why it failed. */
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<void>): Action<Given> {
  const [state, setState] = useState<Omit<Action<Given>, "run">>({ isBusy: false, failure: undefined });
  const run = (...given: Given): void => {
    setState({ isBusy: true, failure: undefined });
    act(...given).then(
      () => setState({ isBusy: false, failure: undefined }),
      (error: unknown) => setState({ isBusy: false, failure: asError(error) }),
    );
  };
  return { ...state, run };
}

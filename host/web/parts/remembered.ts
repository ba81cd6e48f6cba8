import { useState } from "preact/hooks";
import { parsedJson } from "../../system/json.js";
import { lastingStorage } from "../client/browser-storage.js";

/**
 * State that the browser stores under a name. `read` parses the stored value, or undefined. Another name is another state.
 */
export function useRemembered<Value>(
  name: string,
  read: (kept: unknown) => Value,
): [Value, (value: Value) => void] {
  const place = `slipway-${name}`;
  const kept = (): Value => read(parsedJson(lastingStorage.read(place) ?? "null"));
  const [state, setState] = useState(() => ({ place, value: kept() }));
  const current = state.place === place ? state : { place, value: kept() };
  if (current !== state) setState(current);
  const set = (value: Value): void => {
    lastingStorage.keep(place, JSON.stringify(value));
    setState({ place, value });
  };
  return [current.value, set];
}

import { useState } from "preact/hooks";
import { parsedJson } from "../../system/json.js";
import { lastingStorage } from "../client/browser-storage.js";

/**
 * A state that this browser keeps under a name; `read` makes one of what it has kept, or of undefined. Under another name it is
 * another one.
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

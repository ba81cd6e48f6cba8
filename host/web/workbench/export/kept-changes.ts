import { useState } from "preact/hooks";
import { isJsonObject, parsedJson } from "../../../system/json.js";
import type { Changes } from "../../parts/schema-form/changes.js";
import { lastingChanges } from "./export-form.js";
import { type ExportName, exportKinds } from "./export-kinds.js";

/**
 * What a person has changed of an export's settings: those that are about any project are remembered by this browser, all of them
 * with their project by this tab.
 */
export function useKeptChanges(
  name: ExportName,
  sessionId: string,
): [Changes, (change: (before: Changes) => Changes) => void] {
  const lasting = `slipway-workbench ${name}`;
  const own = `${lasting} ${sessionId}`;
  const [changes, setChanges] = useState<Changes>(
    () => readChanges(sessionStorage.getItem(own)) ?? readChanges(localStorage.getItem(lasting)) ?? {},
  );
  const change = (how: (before: Changes) => Changes): void =>
    setChanges((before) => {
      const now = how(before);
      keep(sessionStorage, own, now);
      keep(localStorage, lasting, lastingChanges(exportKinds[name], now));
      return now;
    });
  return [changes, change];
}

function keep(storage: Storage, place: string, changes: Changes): void {
  try {
    storage.setItem(place, JSON.stringify(changes));
  } catch {
    // There is no room for a large picture among them; what is shown counts all the same.
    storage.removeItem(place);
  }
}

function readChanges(text: string | null): Changes | undefined {
  const found = parsedJson(text ?? "null");
  return isJsonObject(found) ? found : undefined;
}

import { useState } from "preact/hooks";
import { isJsonObject, parsedJson } from "../../../system/json.js";
import { type BrowserStorage, lastingStorage, tabStorage } from "../../client/browser-storage.js";
import type { Changes } from "../../parts/schema-form/changes.js";
import { projectEntry } from "../projects/project-storage.js";
import { type ExportForm, lastingChanges } from "./export-form.js";
import { type ExportName, exportKinds } from "./export-kinds.js";
import { usableChanges } from "./usable-changes.js";

/** What a person has changed of an export's settings. */
export interface KeptChanges {
  changes: Changes;
  /** Names of settings that were kept but do not count: the plugin has changed since. */
  dropped: readonly string[];
  change(how: (before: Changes) => Changes): void;
  /** Forgets those that do not count; any change does so, too. */
  forgetDropped(): void;
}

/**
 * The changes that this browser has kept: those that are about any project for all of them, and all of them with their project in
 * this tab.
 */
export function useKeptChanges(name: ExportName, sessionId: string, form: ExportForm): KeptChanges {
  const lasting = `slipway-workbench ${name}`;
  const own = projectEntry(sessionId, name);
  const [{ changes, dropped }, setState] = useState(() =>
    usableChanges(form, readChanges(tabStorage, own) ?? readChanges(lastingStorage, lasting) ?? {}),
  );
  const change = (how: (before: Changes) => Changes): void =>
    setState((before) => {
      const now = how(before.changes);
      tabStorage.keep(own, JSON.stringify(now));
      lastingStorage.keep(lasting, JSON.stringify(lastingChanges(exportKinds[name], now)));
      return { changes: now, dropped: [] };
    });
  return { changes, dropped, change, forgetDropped: () => change((before) => before) };
}

function readChanges(storage: BrowserStorage, place: string): Changes | undefined {
  const found = parsedJson(storage.read(place) ?? "null");
  return isJsonObject(found) ? found : undefined;
}

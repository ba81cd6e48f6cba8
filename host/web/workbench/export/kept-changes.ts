import { useState } from "preact/hooks";
import { isJsonObject, parsedJson } from "../../../system/json.js";
import { type BrowserStorage, lastingStorage, tabStorage } from "../../client/browser-storage.js";
import type { Changes } from "../../parts/schema-form/form-state.js";
import { projectEntry } from "../projects/project-storage.js";
import { type ExportForm, lastingChanges } from "./export-form.js";
import { type ExportName, exportKinds } from "./export-kinds.js";
import { usableChanges } from "./usable-changes.js";

/** The changed settings of an export, as stored. */
export interface KeptChanges {
  changes: Changes;
  /** Names of stored settings that the plugin no longer accepts. */
  dropped: readonly string[];
  change(how: (before: Changes) => Changes): void;
  /** Forgets `dropped`; so does any change. */
  forgetDropped(): void;
}

/**
 * The stored changes of an export: this tab stores all of them per project, the browser those that are not specific to a project.
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

/** Finds files and suppressed errors in responses of plugins. */
import { isJsonObject } from "../../system/json.js";
import { percentDecoded } from "../../system/percent-encoding.js";

/** A file that a route made. */
export interface AnsweredFile {
  name: string;
  /** Public URL. */
  url: string;
  /** URL below the host as this page reaches it. */
  address: string;
}

/** An error that did not end the request. */
export interface Suppressed {
  id: string;
  message: string;
  scopes: readonly unknown[];
}

/** The files whose URLs are anywhere in a response. */
export function filesIn(value: unknown, root: URL): AnsweredFile[] {
  const found = new Map<string, AnsweredFile>();
  const look = (each: unknown): void => {
    if (typeof each === "string") {
      const file = fileOf(each, root);
      if (file !== undefined) found.set(file.address, file);
    } else if (Array.isArray(each)) for (const member of each) look(member);
    else if (isJsonObject(each)) for (const member of Object.values(each)) look(member);
  };
  look(value);
  return [...found.values()];
}

function fileOf(text: string, root: URL): AnsweredFile | undefined {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const path = /\/(files\/[A-Za-z0-9_-]{20,100}\/([^/]+))$/.exec(new URL(text).pathname);
  if (path === null) return undefined;
  const [, place = "", name = ""] = path;
  return { name: percentDecoded(name), url: text, address: new URL(place, root).href };
}

/** The suppressed errors of a response. */
export function suppressedIn(value: unknown): Suppressed[] {
  const errors = isJsonObject(value) && Array.isArray(value["errors"]) ? value["errors"] : [];
  return errors.filter(isJsonObject).map(({ id, message, scopes }) => ({
    id: String(id),
    message: String(message),
    scopes: Array.isArray(scopes) ? scopes : [],
  }));
}

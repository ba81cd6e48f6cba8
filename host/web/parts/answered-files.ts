/** What there is for a person in the answer of a plugin. */
import { isJsonObject } from "../../system/json.js";
import { percentDecoded } from "../../system/percent-encoding.js";

/** A file that a route made. */
export interface AnsweredFile {
  name: string;
  /** As the host tells it to others. */
  url: string;
  /** Of this host, whatever others call it. */
  address: string;
}

/** An error that did not end the request. */
export interface Suppressed {
  id: string;
  message: string;
  scopes: readonly unknown[];
}

/** The files whose addresses an answer has, wherever in it. */
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

/** What was left out of an answer. */
export function suppressedIn(value: unknown): Suppressed[] {
  const errors = isJsonObject(value) && Array.isArray(value["errors"]) ? value["errors"] : [];
  return errors.filter(isJsonObject).map(({ id, message, scopes }) => ({
    id: String(id),
    message: String(message),
    scopes: Array.isArray(scopes) ? scopes : [],
  }));
}

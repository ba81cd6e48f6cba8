import { badRequest, checked, checkProject, type ProjectDocument, RequestError } from "@slipway/sdk";
import { isJsonObject } from "../system/json-object.js";
import { brokenJsonPlace } from "./json-place.js";

/** What a JSON body holds: the document itself, or `{ locale, project }` around it. */
export interface JsonProject {
  project: ProjectDocument;
  /** Not checked. */
  locale: unknown;
}

/** 400 for what is no UTF-8, no JSON (with line and column), nested too deep, or no project (every wrong field). */
export function readJsonProject(bytes: Uint8Array): JsonProject {
  const { project, locale } = unwrapped(bytes);
  return { project: checked(checkProject(project), "The project is not valid"), locale };
}

function unwrapped(bytes: Uint8Array): { project: unknown; locale: unknown } {
  const value = parse(decode(bytes));
  if (isJsonObject(value) && "project" in value && !("formatVersion" in value)) {
    const { project, locale, ...others } = value;
    const found = Object.keys(others).map((key) => ({
      path: key,
      expected: "no such field",
      received: "a value",
    }));
    if (found.length > 0) throw badRequest("The project cannot be opened", found);
    return { project, locale };
  }
  return { project: value, locale: undefined };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (reason) {
    throw new RequestError({
      id: "request-bad-request",
      code: 400,
      message: "The project file cannot be read: it is no UTF-8 text.",
      reason,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (reason) {
    const place = brokenJsonPlace(text);
    const what = text.trim() === "" ? "there is nothing in it" : "this is no JSON";
    throw new RequestError({
      id: "request-bad-request",
      code: 400,
      message: `The project file cannot be read: line ${place.line}, column ${place.column}: ${what}.`,
      additionalInformation: { ...place, what },
      reason,
    });
  }
}

import { readFile } from "node:fs/promises";
import { errorMessage } from "../system/error-message.js";
import { isJsonObject } from "../system/json-object.js";

/** What a JSON file says of an export's configuration; the plugin checks its members. */
export async function readExportConfiguration(file: string): Promise<Record<string, unknown>> {
  const text = (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  const expected = "expected a JSON object with members of the export configuration";
  const value = parsed(text, (reason) => `--config ${file}: ${expected}: ${reason}`);
  if (isJsonObject(value)) return value;
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  throw new Error(`--config ${file}: ${expected}, not ${found}`);
}

function parsed(text: string, message: (reason: string) => string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(message(errorMessage(error)));
  }
}

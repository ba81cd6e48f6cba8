import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "../system/error-code.js";
import { errorMessage } from "../system/error-message.js";
import { installationFolder } from "../system/installation.js";
import type { Mistake } from "./configuration-error.js";
import { isSettings, resolveFolders, type SettingsSource } from "./settings-source.js";

const installedFile = join(installationFolder, "config", "slipway.json");

/** Absolute path of the file that is named, or of the installation's own. */
export function configurationFile(named: string | undefined): string {
  return named === undefined ? installedFile : resolve(named);
}

/** The settings of a file, or of the installation's own file when none is named and that one exists. */
export function readFile(named: string | undefined, mistakes: Mistake[]): SettingsSource | undefined {
  const file = configurationFile(named);
  const source = `file ${file}`;
  const mistake = (expected: string, value: string): undefined => {
    mistakes.push({ source, key: "(whole file)", expected, value });
  };
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (named === undefined) return;
    return mistake(
      "a file that can be read",
      errorCode(error) === "ENOENT" ? "nothing" : errorMessage(error),
    );
  }
  try {
    const settings: unknown = JSON.parse(text);
    if (!isSettings(settings)) return mistake("a JSON object", text.trim().slice(0, 40));
    // Editors look there for the schema of the file.
    const { $schema: _, ...stated } = settings;
    return { name: source, settings: resolveFolders(stated, dirname(file)) };
  } catch (error) {
    return mistake(`JSON (${errorMessage(error)})`, JSON.stringify(text.trim().slice(0, 40)));
  }
}

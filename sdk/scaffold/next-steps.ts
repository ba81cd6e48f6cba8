import { relative } from "node:path";
import type { NewPlugin } from "./new-plugin.js";
import { quoted, slipwayCommand } from "./slipway-command.js";

/**
 * Lines for the user with the names of a new plugin and the next commands, relative to the working folder. `program`:
 * path of Slipway's own command, if it created the plugin.
 */
export async function nextSteps(made: NewPlugin, program?: string): Promise<string[]> {
  const slipway = await slipwayCommand(program);
  const here = relative(process.cwd(), made.folder);
  const folder = quoted(here === "" ? "." : here);
  const prefix = here === "" ? "" : ` --prefix ${folder}`;
  return [
    `The package is ${made.name}${made.renamed ? "; npm takes small letters, digits and a few signs only" : ""}.`,
    `Requests reach it under /EAIWS/plugins/${made.plugin}/; package.json says both names.`,
    "",
    "Next:",
    `  npm install${prefix}`,
    `  npm test${prefix}`,
    ...["dev", "check", "pack"].map((each) => `  ${slipway ?? "slipway"} plugin ${each} ${folder}`),
    ...(slipway === undefined ? ["", "The last ones need Slipway, which is not installed here."] : []),
  ];
}

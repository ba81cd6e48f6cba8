import { relative } from "node:path";
import type { NewPlugin } from "./new-plugin.js";
import { quoted, slipwayCommand } from "./slipway-command.js";

/**
 * What a new plugin is called and what to type next, from the working folder, as lines for people. `program` is the path of
 * Slipway's own command, where that has made it.
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

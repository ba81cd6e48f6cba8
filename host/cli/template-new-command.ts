import { Command } from "commander";
import { errorCode } from "../system/error-code.js";

/** `slipway template new`: the folder of a small, complete template to go on from; prints its path. */
export function templateNewCommand(): Command {
  return new Command("new")
    .description("make the folder of a new template: small, complete, ready to be served and changed")
    .argument("<key>", "how requests name the template, and the name of its folder")
    .option("--dir <folder>", "folder of templates in which it is made", ".")
    .option("--name <name>", "its name for people, in English; default: made from the key")
    .addHelpText(
      "after",
      `
What is there already is never overwritten. The folder can be served as it is; its files say what may be changed.

Examples:
  $ slipway template new packing-list
  $ slipway template new packing-list --dir ./my-templates --name "Packing list"`,
    )
    .action(async (key: string, { dir, name }: { dir: string; name?: string }) => {
      const { newTemplate } = await import("../templates/new-template.js");
      const folder = await newTemplate(dir, key, name ?? nameOf(key)).catch((error: unknown) => {
        const exists = errorCode(error) === "EEXIST";
        throw exists
          ? new Error(`${key} exists in ${dir}; nothing is overwritten, choose another key.`)
          : error;
      });
      process.stdout.write(`${folder}\n`);
    });
}

/** Such as "Packing list" for "packing-list". */
function nameOf(key: string): string {
  const words = key.split(/[._-]+/).filter((word) => word !== "");
  const text = words.join(" ");
  return text === "" ? key : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

import { Command } from "commander";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { demoProject } from "./demo-project.js";
import { endWithChecks, endWithJsonChecks } from "./show-checks.js";

interface CheckOptions extends Record<string, unknown> {
  project: string;
  print: boolean;
  json?: true;
}

/** `slipway template check`: everything that is wrong with a template, tried in print. Exits 1 when something is. */
export function templateCheckCommand(): Command {
  const command = new Command("check")
    .description("check a template as a host would, and print a project with it in each of its languages")
    .argument("<folder>", "folder of the template")
    .option("--project <file>", "project to print (OBK, OBX or JSON); default: the demo project", demoProject)
    .option("--no-print", "look at its files only")
    .option("--json", "print the checks as JSON")
    .addHelpText(
      "after",
      `
Says everything that keeps a host from serving it, with file and line, then prints a project with it in each language that it has
texts for; an accessible one is checked against PDF/UA. Nothing is changed. Ends with 1 when something is wrong.

Examples:
  $ slipway template check ./packing-list
  $ slipway template check ./packing-list --project project.obk`,
    );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var", "templates"]).action(
    async (folder: string, options: CheckOptions) => {
      const configuration = configurationOf(options);
      const { templateChecks } = await import("./template-checks.js");
      const project = options.print ? options.project : undefined;
      const checks = templateChecks(folder, project, configuration);
      await (options.json ? endWithJsonChecks(checks) : endWithChecks(checks, "Ready to be used."));
    },
  );
}

import { Command } from "commander";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { demoProject } from "./demo-project.js";
import { endWithChecks } from "./show-checks.js";

/** `slipway template check`: everything that is wrong with a template, tried in print. Exits 1 when something is. */
export function templateCheckCommand(): Command {
  const command = new Command("check")
    .description("check a template as a host would, and print a project with it in each of its languages")
    .argument("<folder>", "folder of the template")
    .option("--project <file>", "project to print (OBK, OBX or JSON); default: the demo project", demoProject)
    .option("--no-print", "look at its files only");
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "var", "templates"]).action(
    async (folder: string, options: { project: string; print: boolean } & Record<string, unknown>) => {
      const configuration = configurationOf(options);
      const { templateChecks } = await import("./template-checks.js");
      const project = options.print ? options.project : undefined;
      await endWithChecks(templateChecks(folder, project, configuration), "Ready to be used.");
    },
  );
}

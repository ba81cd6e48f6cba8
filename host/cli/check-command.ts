import { Command } from "commander";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";

/** `slipway check`: whether this installation can serve, and how to mend what cannot. Exits 1 when something is wrong. */
export function checkCommand(): Command {
  const command = new Command("check").description(
    "check configuration, folders, browser, fonts, templates and plugins of this installation",
  );
  return withConfigurationOptions(command, ["port"]).action(async (options: Record<string, unknown>) => {
    const configuration = configurationOf(options);
    const { installationChecks } = await import("./installation-checks.js");
    let failures = 0;
    for await (const { name, ok, detail } of installationChecks(configuration)) {
      if (!ok) failures += 1;
      process.stdout.write(`${ok ? "ok   " : "FAIL "} ${name.padEnd(14)} ${detail}\n`);
    }
    const count = failures === 1 ? "One thing has" : `${failures} things have`;
    process.stdout.write(failures === 0 ? "\nReady to serve.\n" : `\n${count} to be mended.\n`);
    process.exit(failures === 0 ? 0 : 1);
  });
}

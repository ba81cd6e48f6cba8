import { Command } from "commander";
import semver from "semver";
import type { PluginService } from "../api/answers.js";
import { PluginClient } from "./plugin-client.js";
import { type RunningHostOptions, runningHostOf, withRunningHostOptions } from "./running-host-options.js";
import { typeCode } from "./type-code.js";

interface TypesOptions extends RunningHostOptions {
  version?: string;
}

/** `slipway plugin types`: TypeScript for callers of a plugin's services. Exits 1 when the plugin offers none. */
export function pluginTypesCommand(): Command {
  const command = new Command("types")
    .description("print schemas and types for callers of a plugin's services, as TypeScript")
    .argument("<name>", "public name or alias of the plugin that offers the services")
    .option("--version <range>", "versions to take the services of; default: the highest that serves")
    .addHelpText(
      "after",
      `
For authors of plugins that call services of other plugins: a schema and a type for the input and the output of each method, of
the version that a running host serves. Nothing is changed.

Examples:
  $ slipway plugin types Reporter > reporter-services.ts
  $ slipway plugin types Reporter --version ^1.0.0 --url https://reports.example.com`,
    );
  return withRunningHostOptions(command).action(async (name: string, options: TypesOptions) => {
    const { version: range = "*" } = options;
    if (semver.validRange(range) === null)
      throw new Error(`--version must be a version range such as "^1.0.0", but is "${range}".`);
    const services = await new PluginClient(runningHostOf(options)).services(name);
    const versions = [...new Set(services.map(({ version }) => version))];
    const version = semver.maxSatisfying(versions, range, { includePrerelease: true });
    if (version === null)
      throw new Error(
        versions.length === 0
          ? `${name} offers no services.`
          : `No version of ${name} in ${range} serves; those with services are ${versions.join(", ")}.`,
      );
    process.stdout.write(moduleOf(services.filter((each) => each.version === version)));
  });
}

/** The module with all schemas and types of the services of one version. */
function moduleOf(services: readonly PluginService[]): string {
  const [{ plugin, version } = { plugin: "", version: "" }] = services;
  const methods = services.map((each) => {
    const { service, method, summary, input, output } = each;
    const name = `${capitalized(service)}${capitalized(method)}`;
    return [
      ...(input === undefined
        ? []
        : [declared(`${name}Input`, typeCode(input, "input"), `Input of ${service}.${method}: ${summary}`)]),
      ...(output === undefined
        ? []
        : [declared(`${name}Output`, typeCode(output, "output"), `Output of ${service}.${method}.`)]),
    ];
  });
  const [first] = services;
  const call =
    first && `host.service("${plugin}@^${version}", "${first.service}").call("${first.method}", …)`;
  return [
    `/** The services of ${plugin} ${version}, made by \`slipway plugin types ${plugin}\`; for \`${call}\`. */`,
    'import { type Static, Type } from "@slipway/sdk";',
    "",
    ...methods.flat(),
  ].join("\n");
}

function declared(name: string, code: string, told: string): string {
  return [
    `/** ${told.replaceAll("*/", "* /")} */`,
    `export const ${name} = ${code};`,
    `export type ${name} = Static<typeof ${name}>;`,
    "",
  ].join("\n");
}

/** Names of services and methods consist of letters, digits, "_" and "-". */
function capitalized(name: string): string {
  return name
    .split("-")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

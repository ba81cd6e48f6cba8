import { dirname, resolve } from "node:path";
import { Command } from "commander";
import { addedFontsFolder, type FontScript, fontScript, fontScripts } from "../pdf/fonts/fonts.js";
import { makeFolder } from "../system/durable-files.js";
import { shownSize } from "../system/shown-amount.js";
import { print, printJson, table } from "../system/terminal-text.js";
import { addedScripts, addScripts, type NewScript, removeScripts } from "./added-fonts.js";
import { commandGroup, WrongUse } from "./command-group.js";
import { configurationOf, withConfigurationOptions } from "./configuration-options.js";
import { didYouMean } from "./did-you-mean.js";
import type { FontFiles } from "./font-packages.js";
import { printableScripts } from "./printable-scripts.js";
import { endProgress, tellProgress } from "./standard-output.js";

interface FontsOptions extends Record<string, unknown> {
  folder?: string;
}

interface AddOptions extends FontsOptions {
  allScripts?: true;
  from?: string;
}

/** `slipway fonts`: fonts for scripts that Slipway's own font lacks. Wrong usage exits 2, a failure 1. */
export function fontsCommand(): Command {
  const group = new Command("fonts").addHelpText(
    "after",
    `
Scripts have names such as hebrew or chinese-simplified; codes such as Hebr and languages such as ja name them, too.
A running host uses added fonts from its next report on.

Examples:
  $ slipway fonts list                          what can be printed, and with which fonts
  $ slipway fonts add hebrew thai japanese
  $ slipway fonts remove thai`,
  );
  return commandGroup(group, [listCommand(), addCommand(), removeCommand()]);
}

/** `slipway fonts list`: the scripts, and whether they can be printed. */
function listCommand(): Command {
  const command = new Command("list")
    .description("list the scripts: whether they can be printed, and where their fonts are from")
    .option("--json", "print them as JSON")
    .addHelpText(
      "after",
      `
A script can be printed if one of the fonts has its letters: those that come with Slipway, added ones, and those of the
setting pdf.fontFolders.

Examples:
  $ slipway fonts list
  $ slipway fonts list --json`,
    );
  return withFontsOptions(command).action(async (options: FontsOptions & { json?: true }) => {
    const { folder, configured } = placesOf(options);
    const scripts = await printableScripts({ added: folder, configured });
    if (options.json) return printJson({ folder, scripts });
    const rows = scripts.map(({ script, printable, from, bytes, licence }) => [
      script,
      printable ? "yes" : "no",
      from ?? "",
      bytes === undefined ? "" : shownSize(bytes),
      licence ?? "",
    ]);
    print(table(["SCRIPT", "PRINTABLE", "FROM", "SIZE", "LICENCE"], rows));
  });
}

/** `slipway fonts add`: adds fonts by script. */
function addCommand(): Command {
  const command = new Command("add")
    .description(
      "add Noto fonts for scripts, regular and bold, from the npm registry or from what you bring along",
    )
    .argument("[scripts...]", "names, codes or languages, such as hebrew, Hebr or he")
    .option("--all-scripts", "all that there are: 65 MB, of which 56 MB are Chinese, Japanese and Korean")
    .option(
      "--from <path>",
      "archive or folder of such a package, or a folder of them, instead of the registry; without scripts all that is in it",
    )
    .addHelpText(
      "after",
      `
npm fetches the packages, with its own settings for registry and proxy; each archive has to have the hash that this version of
Slipway knows. What you bring along is taken as it is. If something fails, nothing is added. Licences are kept beside the
fonts. A running host uses them from its next report on, on Linux; on other systems the browser uses the fonts of the system.

Examples:
  $ slipway fonts add hebrew arabic thai
  $ slipway fonts add ja zh-Hant
  $ slipway fonts add --all-scripts --folder /opt/slipway-fonts
  $ npm pack @expo-google-fonts/noto-sans-hebrew       on a machine with a network
  $ slipway fonts add --from expo-google-fonts-noto-sans-hebrew-0.4.1.tgz`,
    );
  return withFontsOptions(command).action(async (names: string[], options: AddOptions) => {
    const { folder } = placesOf(options);
    if (names.length > 0 && options.allScripts)
      throw new WrongUse("Name scripts, or all of them with --all-scripts, not both.");
    const named = options.allScripts ? fontScripts : scriptsOf(names);
    if (named.length === 0 && options.from === undefined)
      throw new WrongUse(`Name one or more scripts: ${fontScripts.map(({ name }) => name).join(", ")}.`);
    const wanted = named.filter(({ packages }) => packages.length > 0);
    for (const { name } of options.allScripts ? [] : named.filter((each) => !wanted.includes(each)))
      print([`${name} needs no further font: Noto Sans, which comes with Slipway, has it.`]);
    const found =
      options.from === undefined
        ? await fetched(wanted)
        : await given(options.from, wanted, named.length > 0);
    endProgress();
    if (found.length === 0) return;
    if (options.folder === undefined) await makeFolder(dirname(folder));
    await addScripts(folder, found);
    for (const { script, bytes } of await addedScripts(folder))
      if (found.some((each) => each.script === script))
        print([`${script.name} can be printed now (${script.families.join(", ")}; ${shownSize(bytes)}).`]);
    if (process.platform !== "linux")
      process.stderr.write("On this system the browser uses the fonts of the system, not these.\n");
  });
}

/** `slipway fonts remove`: removes added fonts. */
function removeCommand(): Command {
  const command = new Command("remove")
    .description("remove added fonts")
    .argument("<scripts...>", "names, codes or languages, such as hebrew, Hebr or he")
    .addHelpText(
      "after",
      `
A running host stops using them with its next report. Fonts that come with Slipway and those of pdf.fontFolders stay.

Examples:
  $ slipway fonts remove thai
  $ slipway fonts remove Hebr ja`,
    );
  return withFontsOptions(command).action(async (names: string[], options: FontsOptions) => {
    const { folder } = placesOf(options);
    const scripts = scriptsOf(names);
    const added = (await addedScripts(folder)).map(({ script }) => script);
    const absent = scripts.filter((script) => !added.includes(script)).map(({ name }) => name);
    if (absent.length > 0)
      throw new Error(`There are no added fonts for ${absent.join(", ")}; nothing was removed.`);
    for (const name of await removeScripts(folder, scripts)) print([`The fonts for ${name} are removed.`]);
  });
}

function withFontsOptions(command: Command): Command {
  command.option(
    "--folder <folder>",
    "folder of the added fonts; default: fonts in var. Others are named in pdf.fontFolders",
  );
  return withConfigurationOptions(command, ["host", "port", "publicUrl", "plugins", "templates", "logLevel"]);
}

function placesOf({ folder, ...options }: FontsOptions): { folder: string; configured: string[] } {
  // Fonts do not depend on the address, and an external one would require a key.
  const { var: varFolder, pdf } = configurationOf({ ...options, host: "127.0.0.1" });
  return { folder: resolve(folder ?? addedFontsFolder(varFolder)), configured: pdf.fontFolders };
}

function scriptsOf(names: readonly string[]): FontScript[] {
  const found = names.map((name) => {
    const script = fontScript(name);
    const known = fontScripts.map((each) => each.name);
    if (script === undefined) throw new WrongUse(`There is no script "${name}".${didYouMean(name, known)}`);
    return script;
  });
  return [...new Set(found)];
}

async function fetched(scripts: readonly FontScript[]): Promise<NewScript[]> {
  const { fetchedFonts } = await import("./font-packages.js");
  const found: NewScript[] = [];
  for (const [index, script] of scripts.entries()) {
    const packages: FontFiles[] = [];
    for (const each of script.packages) {
      tellProgress(`Fetching ${each.name} (script ${index + 1} of ${scripts.length})…`);
      packages.push(await fetchedFonts(each));
    }
    found.push({ script, packages });
  }
  return found;
}

async function given(from: string, scripts: readonly FontScript[], areNamed: boolean): Promise<NewScript[]> {
  const { givenFonts } = await import("./font-packages.js");
  const packages = await givenFonts(from);
  const found = (areNamed ? scripts : fontScripts).map((script) => ({
    script,
    packages: packages.filter(({ name }) => script.packages.some((each) => each.name === name)),
  }));
  const complete = found.filter(
    ({ script, packages }) => packages.length > 0 && packages.length >= script.packages.length,
  );
  const missing = areNamed ? found.filter((each) => !complete.includes(each)) : [];
  if (missing.length > 0 || (complete.length === 0 && !areNamed)) {
    const expected = (missing.length > 0 ? missing.map(({ script }) => script) : fontScripts).flatMap(
      (script) => script.packages.map(({ name }) => name),
    );
    throw new Error(`${from} lacks packages; expected ${expected.join(", ")}. Nothing was added.`);
  }
  return complete;
}

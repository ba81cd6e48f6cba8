/** The command line of `npm create slipway-plugin`. */
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { errorMessage } from "../schema/errors.js";
import { newPlugin } from "./new-plugin.js";
import { nextSteps } from "./next-steps.js";

const help = `Usage: npm create slipway-plugin [folder] [-- options]

Makes the folder of a new plugin for Slipway: small, complete, with tests. Asks for the folder where none is given.

Options:
  --name <name>          name of its package; default: made from the name of the folder
  --sdk <version|file>   SDK of a registry, or an archive of it; default: the SDK at hand, packed into the folder
  --js                   JavaScript, which needs no compiler; default: TypeScript
  --help                 show this
`;

interface Wish {
  folder: string | undefined;
  name: string | undefined;
  sdk: string | undefined;
  js: boolean | undefined;
}

/**
 * Creates the requested plugin and prints the next steps. Returns the exit code: 1 for a failure, 2 for wrong usage.
 */
export async function createPlugin(parameters: readonly string[]): Promise<number> {
  const wish = read(parameters);
  if (typeof wish === "string") return say(wish === help ? process.stdout : process.stderr, wish);
  const folder = wish.folder ?? (await askedFolder());
  if (folder === undefined)
    return say(process.stderr, "Name the folder of the new plugin, such as my-plugin.\n");
  try {
    const made = await newPlugin({ ...wish, folder });
    return say(process.stdout, [made.folder, "", ...(await nextSteps(made)), ""].join("\n"));
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    return 1;
  }
}

function say(stream: NodeJS.WriteStream, text: string): number {
  stream.write(text);
  return stream === process.stdout ? 0 : 2;
}

/** The parsed options, or a usage message. */
function read(parameters: readonly string[]): Wish | string {
  try {
    const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
    const options = { name: text, sdk: text, js: flag, help: flag } as const;
    const { values, positionals } = parseArgs({ args: [...parameters], options, allowPositionals: true });
    if (values.help) return help;
    const [folder, ...more] = positionals;
    if (more.length > 0) return `Give one folder, not ${positionals.length}.\n`;
    return { folder, name: values.name, sdk: values.sdk, js: values.js };
  } catch (error) {
    return `${errorMessage(error)}\n`;
  }
}

/** The folder entered by the user; undefined without a terminal or an answer. */
async function askedFolder(): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const left = new AbortController();
  terminal.once("close", () => left.abort());
  try {
    return (
      (await terminal.question("Folder of the new plugin: ", { signal: left.signal })).trim() || undefined
    );
  } catch {
    return undefined; // Ctrl+C or Ctrl+D
  } finally {
    terminal.close();
  }
}

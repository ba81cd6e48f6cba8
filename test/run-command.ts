/** Runs `slipway` as a process of its own, the way a user does. Build first: `tsc -b sdk host`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { cleanEnvironment, commandLine, inTime } from "./start-host.js";

/** Fails where something uses what Node.js has deprecated. */
export const strictEnvironment = { NODE_OPTIONS: "--throw-deprecation" };

export interface EndedCommand {
  code: number | null;
  output: string;
  errors: string;
}

export interface CommandSurroundings {
  /** Working folder. */
  folder?: string;
  environment?: Record<string, string>;
  /** Another installation's command line. */
  program?: string;
}

/** Resolves when the command has ended; rejects after two minutes. */
export async function runCommand(
  parameters: readonly string[],
  { folder, environment, program = commandLine }: CommandSurroundings = {},
): Promise<EndedCommand> {
  const child = spawn(process.execPath, [program, ...parameters], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...(program === commandLine ? strictEnvironment : {}), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  const [output, errors, [code]] = await inTime(child, "does not end", () => said.join(""), ended);
  return { code, output, errors };
}

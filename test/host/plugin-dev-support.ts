/** `slipway plugin dev` as an author has it: the command in a terminal, a plugin of two files and a package of its own. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { cleanEnvironment, commandLine } from "../start-host.js";
import { until } from "./plugins-support.js";

/** Files of a plugin that greets; they fit `t.testdir`. */
export const greetingFiles = {
  "package.json": JSON.stringify({
    name: "greeting",
    version: "1.0.0",
    type: "module",
    engines: { slipway: "^1.0.0" },
    slipway: { plugin: "Greeting", entry: "src/index.ts" },
  }),
  node_modules: {
    polite: { "package.json": '{"name":"polite","main":"index.js"}', "index.js": 'exports.word = "Dear";' },
  },
  src: {
    "hello.ts": `import type { Log } from "@slipway/sdk";

export function hello(name: string, log: Log): string {
  log.info("somebody says hello", { name });
  if (name === "nobody") throw new Error("Nobody is there");
  return \`Hello \${name}\`;
}
`,
    "index.ts": `import { definePlugin, route, serviceMethod, Type } from "@slipway/sdk";
import polite from "polite";
import { hello } from "./hello.js";

export default definePlugin({
  setup: (host) => ({
    routes: [
      route.post("hello.json", {
        summary: "Greets somebody.",
        session: "required",
        body: Type.Object({
          sessionId: Type.String(),
          name: Type.String({ description: "Whom to greet." }),
          tone: Type.Enum(["calm", "loud"], { default: "calm" }),
          times: Type.Integer({ minimum: 1, maximum: 5, default: 1, description: "How often." }),
          details: Type.Optional(Type.Object({ city: Type.String() })),
        }),
        handler: async ({ body, session, log, suppress }) => {
          const text = \`\${polite.word}: \${hello(body.name, log)}\`;
          if (body.tone === "loud") suppress({ id: "too-loud", message: "It was loud.", scopes: ["WARN"] });
          const { url } = await host.files.create({ name: "hello.txt", mediaType: "text/plain", content: text });
          return { text, url, times: body.times, city: body.details?.city ?? "", locale: session.locale };
        },
      }),
      route.get("time.json", { summary: "Tells the time.", handler: () => ({ time: "now" }) }),
      route.get("slow.json", {
        summary: "Takes longer than it may.",
        timeout: "50ms",
        handler: () => new Promise((resolve) => setTimeout(() => resolve({ done: true }), 300)),
      }),
    ],
    services: {
      letters: {
        write: serviceMethod({
          summary: "Writes a letter.",
          session: "required",
          input: Type.Object({
            to: Type.String({ minLength: 2, description: "Who gets it." }),
            copies: Type.Integer({ default: 1 }),
          }),
          output: Type.Object({ url: Type.String(), copies: Type.Integer(), locale: Type.String() }),
          handler: async ({ input, session, log, suppress }) => {
            const content = hello(input.to, log);
            if (input.copies > 1) suppress({ id: "one-copy", message: "One copy is enough.", scope: "WARN" });
            const { url } = await host.files.create({ name: "letter.txt", mediaType: "text/plain", content });
            return { url, copies: input.copies, locale: session.locale };
          },
        }),
        count: serviceMethod({ summary: "Counts letters.", handler: () => 7 }),
      },
    },
  }),
});
`,
  },
};

export interface StartedDevelopment {
  /** Of the page. */
  address: string;
  /** Of the host. */
  url: string;
  process: ChildProcess;
  /** What it printed so far. */
  printed(): string;
  /** Resolves when it has printed something from the given place in its output on. */
  says(wanted: RegExp, from?: number): Promise<void>;
  /** Ctrl+C; resolves with the exit code when the command has ended. */
  interrupt(): Promise<number | null>;
}

/** The command as a process; `temporary` is where it may put what it needs. */
export function spawnDevelopment(
  parameters: readonly string[],
  temporary: string,
  environment: NodeJS.ProcessEnv = {},
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [commandLine, "plugin", "dev", ...parameters], {
    env: { ...cleanEnvironment(), TMPDIR: temporary, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs the command; `temporary` is where it may put what it needs. Rejects with its output when it ends before its page is there. */
export async function startDevelopment(
  parameters: readonly string[],
  temporary: string,
  environment?: NodeJS.ProcessEnv,
): Promise<StartedDevelopment> {
  const child = spawnDevelopment(parameters, temporary, environment);
  const exited = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  const says = async (wanted: RegExp, from = 0): Promise<void> => {
    await until(() => {
      if (child.exitCode !== null) throw new Error(`The command ended with ${child.exitCode}:\n${output}`);
      return wanted.test(output.slice(from));
    }).catch((error: unknown) => {
      throw new Error(`Not ${wanted} in:\n${output.slice(from)}`, { cause: error });
    });
  };
  await says(/until you press Ctrl\+C\./);
  const [, address = "", url = ""] = /^Page {6}((\S+)\/dev\/)$/m.exec(output) ?? [];
  return {
    address,
    url,
    process: child,
    printed: () => output,
    says,
    interrupt: async () => {
      child.kill("SIGINT");
      return exited;
    },
  };
}

/** Saves a file with another text in it. */
export async function edit(folder: string, file: string, before: string, after: string): Promise<void> {
  const path = join(folder, file);
  const content = await readFile(path, "utf8");
  if (!content.includes(before)) throw new Error(`There is no ${before} in ${file}`);
  await writeFile(path, content.replace(before, after));
}

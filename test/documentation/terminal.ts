/** Terminals of somebody who follows a page: one for commands, others for what goes on beside them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** Milliseconds; a busy machine is no reason to fail. */
const patience = 120_000;
const mark = "---- end of a block, with exit code";

/** What npx does with a program that is there, without the second that npm takes to start. */
const npx = 'npx() { local program="$1"; shift; "./node_modules/.bin/$program" "$@"; }';

export interface Surroundings {
  /** Working folder. */
  folder: string;
  environment: NodeJS.ProcessEnv;
}

/** Output of a process, standard error included, and waiting for what it is to be. */
class Output {
  private text = "";
  private changed: () => void = () => undefined;

  constructor(child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) this.take(stream);
    child.once("exit", () => this.changed());
  }

  /** Resolves with all of it as soon as `fits`, which looks at it anew after each change, and begins anew behind it. */
  async next(fits: (text: string) => boolean): Promise<string> {
    const end = Date.now() + patience;
    while (!fits(this.text)) {
      const left = end - Date.now();
      if (left <= 0) throw new Error(`It does not come to what is expected:\n${this.text}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const text = this.text;
    this.text = "";
    return text;
  }

  private take(stream: Readable | null): void {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      this.text += chunk;
      this.changed();
    });
  }
}

/** A shell that keeps its variables from one block of commands to the next. */
export class Shell {
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private readonly output: Output;

  constructor({ folder, environment }: Surroundings) {
    this.child = spawn("bash", ["--noprofile", "--norc"], { cwd: folder, env: environment, stdio: "pipe" });
    this.exited = once(this.child, "exit");
    this.output = new Output(this.child);
    this.child.stdin?.write(`${npx}\n`);
  }

  /** Types a block; resolves with what it printed and the exit code of its last command. */
  async run(commands: string): Promise<{ output: string; code: number }> {
    this.child.stdin?.write(`{ :\n${commands}\n} </dev/null 2>&1\nprintf '\\n${mark} %s\\n' $?\n`);
    const ended = new RegExp(`\\n${mark} (\\d+)\\n$`);
    const text = await this.output.next((each) => ended.test(each) || this.child.exitCode !== null);
    const code = ended.exec(text)?.[1];
    if (code === undefined) throw new Error(`The shell ended:\n${text}`);
    return { output: text.replace(ended, ""), code: Number(code) };
  }

  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.exited;
  }
}

/** A command that goes on beside the others until Ctrl+C. */
export class OtherTerminal {
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private readonly output: Output;

  constructor(command: string, { folder, environment }: Surroundings) {
    this.child = spawn("bash", ["-c", `${npx}\n${command}`], {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.exited = once(this.child, "exit");
    this.output = new Output(this.child);
  }

  /** Resolves when what it has printed since the last time fits. */
  async shows(fits: (text: string) => boolean): Promise<void> {
    await this.output.next(fits);
  }

  /** Ctrl+C, which all processes of the terminal get. */
  async interrupt(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGINT");
    await this.exited;
  }
}

/** A service in a process of its own, which says on its standard output what it is "listening on". */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { cleanEnvironment } from "../../start-host.js";
import { atEnd } from "./clean-up.js";

/** Milliseconds; the first start unpacks a browser. */
const startLimit = 120_000;
/** Milliseconds until a process that ignores SIGTERM is killed. */
const stopLimit = 30_000;

export interface ServiceStart {
  parameters: readonly string[];
  /** Gets what the service writes to standard error. */
  log: string;
  /** Instead of the Node.js that runs the benchmark. */
  node?: string;
  environment?: Record<string, string>;
  /** Working folder. */
  folder?: string;
}

export class ListeningProcess {
  readonly stop: () => Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** From the start of the process until it listens. */
    readonly startSeconds: number,
    stop: () => Promise<void>,
  ) {
    this.stop = stop;
  }

  /** Rejects with the end of its log if it ends before it listens, or does not listen within two minutes. */
  static async start({
    parameters,
    log,
    node,
    environment,
    folder,
  }: ServiceStart): Promise<ListeningProcess> {
    const begun = performance.now();
    const child = spawn(node ?? process.execPath, parameters, {
      cwd: folder,
      env: { ...cleanEnvironment(), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = once(child, "exit");
    const stop = atEnd(() => ended(child, exited));
    child.stderr.pipe(createWriteStream(log));
    const said = new Promise<string | undefined>((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const url = /listening on (http:\S+)/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
      exited.then(
        () => resolve(undefined),
        () => resolve(undefined),
      );
      setTimeout(() => resolve(undefined), startLimit).unref();
    });
    const url = await said;
    if (url !== undefined) return new ListeningProcess(child, url, (performance.now() - begun) / 1000, stop);
    await stop();
    const lines = await readFile(log, "utf8").catch(() => "");
    throw new Error(`${parameters[0]} did not start: ${lines.slice(-2000)}`);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }
}

async function ended(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  // A program that could not be started has no process.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopLimit);
  await exited.catch(() => undefined);
  clearTimeout(timer);
}

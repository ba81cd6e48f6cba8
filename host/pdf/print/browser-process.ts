import { type ChildProcess, spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import type { Log } from "@slipway/sdk";
import type { CDPSession, Connection } from "puppeteer-core";
import { SupervisedProcess } from "../../system/supervised-process.js";
import { longestTimer, withTimeout } from "../../system/time.js";
import { browserArguments, browserEnvironment, type LaunchOptions } from "./browser-arguments.js";
import { PipeTransport } from "./pipe-transport.js";
import { BrowserLostError } from "./print-errors.js";
import { removeProfile } from "./profile-folders.js";

/** The operating system refuses the browser what its sandbox needs; another try will not help. */
export class NoSandboxError extends Error {
  override readonly name = "NoSandboxError";
}

/** A running browser in a separate process group, connected by pipes: when the host dies, the pipes close and it ends. */
export class BrowserProcess {
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
  /** Settles when the profile is removed, too. */
  readonly gone: Promise<void>;
  private opened: Connection | undefined;
  private alive = true;
  private closing = false;
  private readonly lossListeners = new Set<() => void>();
  private readonly process: SupervisedProcess;

  private constructor(child: ChildProcess, transport: PipeTransport, profile: string, log: Log) {
    // Killing at our own exit covers what a closing pipe does not: a browser that is frozen.
    const killAtExit = (): void => this.kill();
    process.once("exit", killAtExit);
    this.process = new SupervisedProcess(child, { group: true, streams: [child.stderr], keepsOutput: true });
    this.ended = this.process.exited.then(() => {
      this.lose();
      process.removeListener("exit", killAtExit);
      transport.close();
    });
    this.gone = this.ended.then(() => removeProfile(profile, log));
    // The pipes of a dying browser may close before its end is known; without them it is useless. One that was asked to
    // close removes its temporary folder after that.
    transport.ended.then(() => {
      if (!this.closing) this.lose();
    });
  }

  /** Starts the browser and waits until it answers. Throws with what the browser wrote when it does not. */
  static async launch(options: LaunchOptions, timeout: number, log: Log): Promise<BrowserProcess> {
    const child = spawn(options.executable, browserArguments(options), {
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      env: browserEnvironment(options),
    });
    const [, , , toBrowser, fromBrowser] = child.stdio;
    if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable)) {
      throw new Error("the pipes to the browser could not be opened");
    }
    const transport = new PipeTransport(toBrowser, fromBrowser);
    const browser = new BrowserProcess(child, transport, options.profile, log);
    const lost = browser.ended.then(() => Promise.reject(new BrowserLostError("the browser ended")));
    try {
      browser.opened = await within(timeout, Promise.race([connected(transport), lost]));
      return browser;
    } catch (error) {
      browser.kill();
      await browser.gone;
      throw startFailure(browser.process.output, error);
    }
  }

  get connection(): Connection {
    if (this.opened === undefined) throw new BrowserLostError("the browser is not connected");
    return this.opened;
  }

  get pid(): number | undefined {
    return this.process.id;
  }

  get isAlive(): boolean {
    return this.alive;
  }

  /** Whether the browser process answers within the time. */
  async answers(timeout: number): Promise<boolean> {
    return within(timeout, this.connection.send("Browser.getVersion")).then(
      () => true,
      () => false,
    );
  }

  async openSession(targetId: string): Promise<CDPSession> {
    const { targetInfo } = await this.connection.send("Target.getTargetInfo", { targetId });
    return this.connection.createSession(targetInfo);
  }

  /** Closes a page, even one whose renderer is frozen; kills the browser when it does not answer. */
  async closeTarget(targetId: string, timeout: number): Promise<void> {
    if (!this.alive) return;
    const closing = this.connection.send("Target.closeTarget", { targetId });
    await within(timeout, closing).catch((error: unknown) => {
      // Any answer will do, also that the page is gone already; only silence means a frozen browser.
      if (error instanceof BrowserLostError) this.kill();
    });
  }

  /** Asks the browser to close, and kills its group when that takes too long. */
  async close(timeout: number): Promise<void> {
    this.closing = true;
    this.connection.send("Browser.close").catch(() => undefined); // its end is what is waited for
    await within(timeout, this.ended).catch(() => this.kill());
    await this.gone;
  }

  /** Ends the whole process group at once. */
  kill(): void {
    if (this.alive) this.lose();
  }

  /** Calls back when the browser is lost, in whatever way; the returned function takes the wish back. */
  onLost(callback: () => void): () => void {
    this.lossListeners.add(callback);
    return () => this.lossListeners.delete(callback);
  }

  private lose(): void {
    this.alive = false;
    this.process.signal("SIGKILL"); // what is left of its group
    for (const callback of this.lossListeners) callback();
    this.lossListeners.clear();
  }
}

/** Loads what speaks to browsers while the browser starts: it takes longer to load than all else of the host. */
async function connected(transport: PipeTransport): Promise<Connection> {
  const { connect } = await import("puppeteer-core");
  // It must not look after pages by itself; the callers have their own time limits.
  const browser = await connect({ transport, protocolTimeout: longestTimer, targetFilter: () => false });
  const connection = (await browser.target().createCDPSession()).connection();
  if (connection === undefined) throw new BrowserLostError("the browser closed its connection");
  return connection;
}

function startFailure(output: string, cause: unknown): Error {
  // Without the time of day, so that the same failure has the same message.
  const wrote =
    output
      .replaceAll(/\[\d+\/\d+\.\d+:/g, "[")
      .trim()
      .slice(0, 500) || "nothing";
  const sandbox = /sandbox|zygote_host|move to new namespace/i.test(output);
  if (!sandbox || /running as root/i.test(output))
    return new Error(`the browser did not start. It wrote: ${wrote}`, { cause });
  return new NoSandboxError(
    "the browser does not start, because its sandbox does not work for this user here. Allow unprivileged user " +
      "namespaces (as root, on Ubuntu `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, elsewhere " +
      "`sysctl user.max_user_namespaces=10000`; in a container by its security profile; a chroot never has them). " +
      "Or turn off the sandbox, if you trust all templates: configuration `pdf.sandbox`, or the " +
      'environment variable SLIPWAY_PDF__SANDBOX, with the value "off".',
    { cause: new Error(`the browser wrote: ${wrote}`) },
  );
}

/** Rejects with a `BrowserLostError` when the promise has not settled in time. */
export function within<T>(timeout: number, promise: Promise<T>): Promise<T> {
  return withTimeout(promise, timeout, () => {
    throw new BrowserLostError(`no answer within ${timeout} ms`);
  });
}

import { connect } from "node:net";
import type { Development } from "./development.js";

/** Port of the Node.js inspector when activated by a signal. */
export const inspectorPort = 9229;

/** Milliseconds between attempts: a replaced process may hold the port for a while. */
const betweenLooks = 200;

/** Opens the inspector of the serving plugin process, on this machine only. */
export class Inspection {
  private inspected: number | undefined;
  private waiting: number | undefined;
  private isLooking = false;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly development: Development) {
    this.timer = setInterval(() => void this.look(), betweenLooks);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const { processId } = this.development.serving() ?? {};
    if (this.isLooking || processId === undefined || processId === this.inspected) return;
    this.isLooking = true;
    try {
      if (await isTaken()) this.wait(processId);
      else this.open(processId);
    } finally {
      this.isLooking = false;
    }
  }

  private open(processId: number): void {
    this.inspected = processId;
    try {
      process.kill(processId, "SIGUSR1");
    } catch {
      // The process has ended; its replacement is next.
    }
  }

  /** Warns once: the previous process ends soon, a foreign one may not. */
  private wait(processId: number): void {
    if (processId === this.waiting) return;
    this.waiting = processId;
    this.development.warn(`The inspector waits for port ${inspectorPort}, which another process has.`);
  }
}

/** Whether the inspector's port responds. */
function isTaken(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(inspectorPort, "127.0.0.1");
    const answer = (taken: boolean) => (): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once("connect", answer(true)).once("error", answer(false));
  });
}

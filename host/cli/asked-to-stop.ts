const parentCheck = 500;

export interface AskedToStopOptions {
  /** Whether SIGHUP asks for it too, as a terminal does that is closed. */
  atHangup?: boolean;
}

/**
 * Resolves at SIGTERM, at Ctrl+C, and when the npm that started this process is gone: npm hands a signal to the shell
 * of its script only, which ends without passing it on. A second signal ends the process at once.
 */
export function askedToStop({ atHangup = false }: AskedToStopOptions = {}): Promise<void> {
  let signals = 0;
  return new Promise((resolve) => {
    // Closed terminals say it more than once: shell and system do.
    if (atHangup) process.on("SIGHUP", resolve);
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(1);
        resolve();
      });
    }
    if (process.env["npm_lifecycle_event"] !== undefined) parentGone().then(resolve);
  });
}

function parentGone(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(look);
      resolve();
    }, parentCheck);
    look.unref();
  });
}

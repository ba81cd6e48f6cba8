const parentCheck = 500;

export interface AskedToStopOptions {
  /** Whether SIGHUP, sent by a closed terminal, counts too. */
  atHangup?: boolean;
}

/**
 * Resolves on SIGTERM, on Ctrl+C, and when the npm that started this process has ended: npm signals only the shell of
 * its script, which does not pass the signal on. A second signal ends the process at once.
 */
export function askedToStop({ atHangup = false }: AskedToStopOptions = {}): Promise<void> {
  let signals = 0;
  return new Promise((resolve) => {
    // A closed terminal may send it repeatedly.
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

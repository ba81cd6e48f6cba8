/** Opens the user's browser. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { errorMessage } from "../system/errors.js";

/** Opens a URL in a desktop session; reports a failure on standard error. */
export function showInBrowser(address: string): void {
  if (!canOpenBrowser()) return;
  openBrowser(address).catch((error: unknown) => {
    const reason = errorMessage(error);
    process.stderr.write(`The browser could not be opened (${reason}); open the address yourself.\n`);
  });
}

/** Whether there is a desktop session. */
function canOpenBrowser(): boolean {
  if (!process.stdout.isTTY) return false;
  if (process.platform === "win32" || process.platform === "darwin") return true;
  return Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);
}

/** Opens an address; resolves when the system has started the program. */
async function openBrowser(address: string): Promise<void> {
  const [program, ...parameters] = opener(address);
  if (program === undefined) return;
  const child = spawn(program, parameters, {
    stdio: "ignore",
    detached: true,
    windowsVerbatimArguments: true,
  });
  await once(child, "spawn");
  // The program may become the browser itself and keep running.
  child.unref();
}

function opener(address: string): string[] {
  if (process.platform === "darwin") return ["open", address];
  // `start` is a shell command, where "&" is special; its first quoted argument is a title.
  if (process.platform === "win32") return ["cmd", "/c", "start", '""', address.replaceAll("&", "^&")];
  return ["xdg-open", address];
}

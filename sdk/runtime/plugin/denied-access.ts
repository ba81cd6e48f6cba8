import { networkInterfaces } from "node:os";

/** What refuses a call, by the permission of Node.js: what the plugin may not do, and how its author asks for it. */
const refusals: Record<string, (resource: string) => string> = {
  FileSystemRead: (path) =>
    `read ${path || "this file"}. Declare a folder in \`slipway.permissions.read\` of package.json, find it with \`host.folder\``,
  FileSystemWrite: (path) =>
    `write ${path || "this file"}. Declare \`temporary\` in \`slipway.permissions\` of package.json, or a folder in \`write\` there that \`host.folder\` finds`,
  ChildProcess: () => "start programs. Declare `slipway.permissions.programs` in package.json",
  WorkerThreads: () => "start threads. Declare `slipway.permissions.threads` in package.json",
  Net: () =>
    "open connections itself. Use `host.fetch` with `slipway.permissions.network` in package.json, or declare `direct` there",
};
const nativeRefusal = "load native add-ons. Declare `slipway.permissions.native` in package.json";

/** Causes that are looked at: a failed `fetch` has its reason in its cause. */
const mostCauses = 5;

/**
 * What to do about an error of a plugin's code that has its reason in the confinement of its process, as two sentences, with
 * the place in the code where the stack has one; undefined for all other errors.
 */
export function deniedAccess(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < mostCauses && current instanceof Error; depth++) {
    const refusal = refusalOf(current);
    if (refusal !== undefined) {
      const place = placeOf(error) ?? placeOf(current);
      return `The plugin may not ${refusal}, and let an admin grant it${place === undefined ? "." : ` (${place}).`}`;
    }
    current = current.cause;
  }
  return undefined;
}

function refusalOf(error: Error): string | undefined {
  const code = text(error, "code");
  if (code === "ERR_DLOPEN_DISABLED") return nativeRefusal;
  if (code === "ERR_ACCESS_DENIED") {
    // Asynchronous calls of the network have no permission.
    const permission = text(error, "permission") || (text(error, "syscall") === "" ? "" : "Net");
    return refusals[permission]?.(text(error, "resource"));
  }
  const isOfNetwork = ["connect", "getaddrinfo", "bind", "listen"].includes(text(error, "syscall"));
  return isOfNetwork && hasNoNetwork() ? refusals["Net"]?.("") : undefined;
}

/** A confined process without the permission has no network at all, not even its own machine's. */
function hasNoNetwork(): boolean {
  return process.permission !== undefined && Object.keys(networkInterfaces()).length === 0;
}

function text(error: Error, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : "";
}

/** The first place of a stack in code that is neither Node.js nor Slipway: `file:line:column`. */
function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const frames = (error.stack ?? "").split("\n").filter((line) => line.trimStart().startsWith("at "));
  const own = frames.find((line) => line.includes("file://") && !/\/(?:sdk|host)\/dist\//.test(line));
  return own?.slice(own.indexOf("file://")).replace(/\)$/, "");
}

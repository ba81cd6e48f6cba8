import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer } from "node:net";
import { Type, Validator } from "@slipway/sdk";
import type { Configuration } from "../../configuration/configuration.js";
import { explainedListenError } from "../../http/listening.js";
import { reachableAddress } from "../../system/addresses.js";
import { errorCode, errorMessage } from "../../system/errors.js";
import { type Check, hint, right, wrong } from "./check.js";

/** Timeout for a request to the process on the port, in milliseconds. */
const patience = 3000;

/** The part of `/readyz` that needs no key. */
const checkReadiness = new Validator({ lazy: true }).compile(
  Type.Object({ status: Type.Enum(["ready", "not ready"]) }),
  "readiness",
);

/** Whether a host could listen; names the current owner of the port. */
export async function portCheck({ host, port }: Pick<Configuration, "host" | "port">): Promise<Check> {
  if (port === 0) return right("port", "any free one");
  const error = await listenError(host, port);
  if (error === undefined) return right("port", `${port} of ${host} is free`);
  if (errorCode(error) !== "EADDRINUSE")
    return wrong("port", errorMessage(explainedListenError(error, host, port)));
  const url = `http://${reachableAddress(host)}:${port}`;
  if (await isSlipway(url)) {
    const detail = `a Slipway host is running at ${url}; a second one needs a different port and var`;
    return hint("port", detail);
  }
  const owner = await listenerOn(port);
  const by = owner === undefined ? "by another program" : `by ${owner}`;
  return wrong("port", `${port} of ${host} is in use ${by}; end that, or choose another port with --port`);
}

/** Why a server cannot listen; undefined when it can. */
export function listenError(host: string, port: number): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function isSlipway(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(patience) });
    return checkReadiness(await answer.json()).ok;
  } catch {
    return false;
  }
}

/** Name and id of the listening process; undefined when the system does not reveal it. */
async function listenerOn(port: number): Promise<string | undefined> {
  const sockets = new Set(
    (await Promise.all(["tcp", "tcp6"].map((table) => listeningSockets(table, port)))).flat(),
  );
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of ids) {
    const folder = `/proc/${id}/fd`;
    for (const file of await readdir(folder).catch(() => [])) {
      const target = await readlink(`${folder}/${file}`).catch(() => "");
      if (!sockets.has(target)) continue;
      const name = (await readFile(`/proc/${id}/comm`, "utf8").catch(() => "")).trim();
      return `${name || "a process"} with process id ${id}`;
    }
  }
  return undefined;
}

/** Such as "socket:[4711]". */
async function listeningSockets(table: string, port: number): Promise<string[]> {
  const text = await readFile(`/proc/net/${table}`, "utf8").catch(() => "");
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, "0");
  return text.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    return state === "0A" && local.endsWith(`:${hexadecimal}`) ? [`socket:[${inode}]`] : [];
  });
}

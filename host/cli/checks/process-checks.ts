/** Checks the environment of the process: user, open files, memory. */
import { readFile } from "node:fs/promises";
import type { Configuration } from "../../configuration/configuration.js";
import { shownSize } from "../../system/shown-amount.js";
import { type Check, hint, right, wrong } from "./check.js";

const megabyte = 1024 * 1024;

/** A hint for root, under which the browser has no sandbox. */
export function userCheck({ pdf }: Pick<Configuration, "pdf">): Check[] {
  if (process.getuid?.() !== 0 || pdf.sandbox === "on") return [];
  const detail = "this is root, for which Chromium has no sandbox; run the host as an ordinary user";
  return [hint("user", detail)];
}

/** A few dozen clients with plugins and browser exceed this limit. */
const fewFiles = 1024;
const enoughFiles = 4096;

/** Shows the hard limit, to which Node.js raises its own. */
export async function openFilesCheck(): Promise<Check[]> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const [, text] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
  if (text === undefined || text === "unlimited") return [];
  const files = Number(text);
  const mend = "raise it with ulimit -Hn, LimitNOFILE= of systemd, or --ulimit nofile= of the container";
  if (files < fewFiles) return [wrong("open files", `the limit is ${files}, too few for a host; ${mend}`)];
  if (files < enoughFiles)
    return [hint("open files", `the limit is ${files}, few for many clients; ${mend}`)];
  return [right("open files", `the limit is ${files}`)];
}

/** Memory of the host without plugins, templates and browser. */
const ownMemory = 256 * megabyte;

/** Whether a plugin at its memory limit would end the container instead of being replaced. */
export function memoryCheck(
  { plugins, templates, pdf }: Pick<Configuration, "plugins" | "templates" | "pdf">,
  limit = constrainedMemory(),
): Check[] {
  if (limit === undefined) return [];
  const hard = Math.max(plugins.memory.hard, ...Object.values(plugins.limits).map((own) => own.hard ?? 0));
  const needed =
    ownMemory + (hard + templates.processes * templates.memoryLimit + pdf.recycling.memory) * megabyte;
  if (limit >= needed) return [right("memory", `${shownSize(limit)} are allowed`)];
  const detail =
    `this container has ${shownSize(limit)}, but host, browser, templates and a single plugin may take ${shownSize(needed)}; ` +
    "give it more, or lower plugins.memory.hard and soft, so that a plugin is replaced before the system ends everything";
  return [hint("memory", detail)];
}

/** Memory limit of the container in bytes; undefined without one. */
function constrainedMemory(): number | undefined {
  const bytes = process.constrainedMemory();
  // Systems without a limit report 0 or an impossibly large number.
  return bytes === 0 || bytes > 2 ** 50 ? undefined : bytes;
}

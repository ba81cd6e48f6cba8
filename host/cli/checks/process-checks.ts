/** What this process was given by the system: its runtime, its user, open files, memory. */
import { readFile } from "node:fs/promises";
import semver from "semver";
import type { Configuration } from "../../configuration/configuration.js";
import { requiredNode } from "../../system/installation.js";
import { shownSize } from "../../system/shown-amount.js";
import { type Check, hint, right, wrong } from "./check.js";

const megabyte = 1024 * 1024;

/** Whether this version of Node.js is one that the package asks for. */
export function nodeCheck(version = process.versions.node): Check {
  return semver.satisfies(version, requiredNode)
    ? right("node", `Node.js ${version}`)
    : wrong("node", `this is Node.js ${version}; install one that is ${requiredNode}`);
}

/** A hint for root, whose browser has no sandbox of its own. */
export function userCheck({ pdf }: Pick<Configuration, "pdf">): Check[] {
  if (process.getuid?.() !== 0 || pdf.sandbox === "on") return [];
  const detail = "this is root, for which Chromium has no sandbox; run the host as an ordinary user";
  return [hint("user", detail)];
}

/** Below it, a few dozen clients with plugins and browser use up all. */
const fewFiles = 1024;
const enoughFiles = 4096;

/** Node.js raises its own limit to the hard one, which is what this shows. */
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

/** What the host takes beside its plugins, templates and browser. */
const ownMemory = 256 * megabyte;

/** Whether one plugin that takes all it may brings the whole container to its end, instead of being replaced. */
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

/** Bytes that the container allows; undefined without a limit of its own. */
function constrainedMemory(): number | undefined {
  const bytes = process.constrainedMemory();
  // Systems without a limit say 0 or a number that no machine has.
  return bytes === 0 || bytes > 2 ** 50 ? undefined : bytes;
}

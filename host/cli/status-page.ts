import { StatusAnswer } from "../api/status-answer.js";
import { shownDuration, shownSize } from "../system/shown-amount.js";
import { fitted, localTime, padded, printable, table } from "../system/terminal-text.js";
import { answerReader, type HostClient } from "./host-client.js";

const readStatus = answerReader(StatusAnswer);

/** The status of a host. */
export async function hostStatus(host: HostClient): Promise<StatusAnswer> {
  return readStatus(await host.json("/api/status"));
}

/** Formats the status of a host as lines. */
export function statusPage(status: StatusAnswer, url: string): string[] {
  const { version, ready, reasons, parts, instances, members, switches = [] } = status;
  const problems = Object.entries(parts).flatMap(([name, part]) =>
    (part.problems ?? []).map((problem) => `~ ${printable(`${name}: ${problem}`)}`),
  );
  return [
    printable(`Slipway ${version} at ${url} is ${ready ? "ready" : "not ready"}.`),
    ...reasons.map((reason) => `! ${printable(reason)}`),
    ...problems,
    "",
    ...facts(status).map(([name, text]) => fitted(`${padded(name, 10)}${printable(text)}`)),
    "",
    ...table(["RELEASE", "PLUGINS"], releaseRows(status)),
    ...(instances.length === 0 ? [] : ["", ...table(titles, instances.map(instanceRow(status)))]),
    ...(members === undefined ? [] : ["", ...table(memberTitles, members.map(memberRow))]),
    ...(switches.length === 0 ? [] : ["", ...table(switchTitles, switches.map(switchRow))]),
  ];
}

const unknown = "not known, because the engine does not answer";

function facts(status: StatusAnswer): [name: string, text: string][] {
  const { started, process, requests, browser, sessions, files } = status;
  const { mean, p99, max } = process.eventLoopDelay;
  const delays = [mean, p99, max].map((milliseconds) => milliseconds.toFixed(1)).join(", ");
  return [
    ["Started", `${localTime(started)}, ${shownDuration(Date.now() - Date.parse(started))} ago`],
    ["Process", `${process.id} with ${shownSize(process.memory)}, of that heap ${shownSize(process.heap)}`],
    ["Delay", `${delays} ms (mean, 99 %, longest) until the process turns to something`],
    ["Requests", `${requests.running} running`],
    ["Browser", `${browser.detail} ${browserLoad(browser)}`],
    ["Sessions", sessions ? `${sessions.open} open with ${shownSize(sessions.bytes)}` : unknown],
    [
      "Files",
      files ? `${files.count} with ${shownSize(files.bytes)} of ${shownSize(files.maximumBytes)}` : unknown,
    ],
  ];
}

function browserLoad({ pages, busy, waiting, restarts }: StatusAnswer["browser"]): string {
  return `${busy} of ${pages} pages are busy, ${waiting} documents wait, ${restarts} restarts.`;
}

function releaseRows({ releases, defaultRelease }: StatusAnswer): string[][] {
  return Object.entries(releases).map(([release, plugins]) => [
    release === defaultRelease ? `${release} (default)` : release,
    Object.entries(plugins)
      .map(([plugin, version]) => `${plugin}@${version}`)
      .join(", ") || "none",
  ]);
}

const memberTitles = ["HOST", "STATE", "SLIPWAY", "RUNNING", "WAITING", "LEASE", "SERVES"];

/** A host that shares the engine. */
function memberRow(member: NonNullable<StatusAnswer["members"]>[number]): string[] {
  const { name, current, state, ready, version, running, waiting, leaseUntil, releases } = member;
  const isAlive = state === "alive";
  const left = shownDuration(Math.abs(Date.parse(leaseUntil) - Date.now()));
  const plugins = new Set(
    Object.values(releases).flatMap((each) =>
      Object.entries(each).map(([plugin, pluginVersion]) => `${plugin}@${pluginVersion}`),
    ),
  );
  return [
    current ? `${name} (this one)` : name,
    isAlive ? (ready ? "ready" : "not ready") : "lost",
    version,
    isAlive ? String(running) : "",
    isAlive ? String(waiting) : "",
    isAlive ? left : `ended ${left} ago`,
    isAlive ? [...plugins].join(", ") || "none" : "",
  ];
}

const switchTitles = ["PLUGIN", "GENERATION", "STATE", "SERVED BY", "NOTES"];

/** The last switch of a plugin by all hosts. */
function switchRow(each: NonNullable<StatusAnswer["switches"]>[number]): string[] {
  const { plugin, generation, state, prepared, waiting, refused, serving, reason } = each;
  const running = [
    ...(prepared.length === 0 ? [] : [`prepared: ${prepared.join(", ")}`]),
    ...(waiting.length === 0 ? [] : [`waiting for ${waiting.join(", ")}`]),
  ];
  const notes = [
    ...(state === "preparing" ? running : []),
    ...(reason === undefined ? refused.map((one) => `${one.host}: ${one.reason}`) : [reason]),
  ];
  return [plugin, String(generation), state, serving.join(", "), notes.join("; ")];
}

const titles = ["PLUGIN", "VERSION", "PROCESS", "MEMORY", "WORKING", "WAITING"];

/** The load is that of all versions of the plugin together. */
function instanceRow({ requests }: StatusAnswer): (instance: StatusAnswer["instances"][number]) => string[] {
  return ({ plugin, version, processId, memory }) => {
    const load = requests.plugins.find((each) => each.plugin === plugin);
    return [
      plugin,
      version,
      String(processId),
      memory === undefined ? "" : shownSize(memory),
      load === undefined ? "0" : `${load.working} of ${load.concurrency}`,
      load === undefined ? "0" : `${load.waiting} of ${load.queue}`,
    ];
  };
}

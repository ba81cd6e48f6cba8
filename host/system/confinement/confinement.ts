/**
 * Starts programs of Node.js that can reach only what they are given: the door of this folder.
 *
 * In: what a process may reach. Out: the command that starts it so, and which layers hold on this system.
 * Owns: the folder on which views are built; it stays empty outside of their namespaces.
 *
 * Two layers. The permission model of Node.js refuses files, programs, threads and native code, from version 25 on also the
 * network; it is a seat belt, no wall. Namespaces of Linux take away the network, other processes and all files but those that
 * are given, whatever runs in the process.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Static, Type } from "@slipway/sdk";
import { privateFolder } from "../durable-files.js";
import { codePaths } from "./code-paths.js";
import { type ViewPath, viewParameters, viewScript } from "./view.js";

/** How far processes are confined: by all layers or not started, by those that the system has, or not at all. */
export type ConfinementMode = "strict" | "auto" | "off";

/** What a process may reach besides the code of the host and of the SDK, which it can always read. */
export interface ProcessAccess {
  /** Absolute paths of files and folders, with all below. */
  readable: readonly string[];
  writable: readonly string[];
  /** Sockets. */
  network: boolean;
  /** Starting other programs. */
  programs: boolean;
  threads: boolean;
  /** Native add-ons. */
  native: boolean;
}

/** Whether a layer of the confinement holds. */
export const ConfinementLayer = Type.Object(
  {
    layer: Type.Enum(["permissions", "namespaces"], {
      description:
        "`permissions`: the permission model of Node.js. `namespaces`: separate network, processes and files, on Linux.",
    }),
    holds: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: "Why it does not hold, as a sentence." })),
  },
  { title: "ConfinementLayer" },
);
export type ConfinementLayer = Static<typeof ConfinementLayer>;

/** The start of a process. */
export interface ConfinedCommand {
  command: string;
  parameters: string[];
  /** Whether the started process only waits for the program, which is its child. */
  isWrapped: boolean;
}

/** The folder on which views are built, in their namespaces only. */
const rootName = "root";

/** Milliseconds for the check of the namespaces. */
const checkTime = 10_000;

export class Confinement {
  /** `open` finds out which layers hold; `folder` must have the folder of views then. */
  constructor(
    readonly mode: ConfinementMode,
    /** Which layers hold. */
    readonly layers: readonly ConfinementLayer[],
    /** Private; empty but for what its users make. */
    readonly folder: string,
  ) {}

  /** Checks what the system has. `folder`: made where it is missing, for views. */
  static async open(mode: ConfinementMode, folder: string): Promise<Confinement> {
    if (mode === "off") {
      const reason = "`plugins.confinement` is off.";
      const off = (layer: ConfinementLayer["layer"]): ConfinementLayer => ({ layer, holds: false, reason });
      return new Confinement(mode, [off("permissions"), off("namespaces")], folder);
    }
    // A host that was killed leaves temporary files of its plugins.
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, rootName), { recursive: true, mode: privateFolder });
    const problem = await namespaceProblem(join(folder, rootName));
    return new Confinement(
      mode,
      [
        { layer: "permissions", holds: true },
        { layer: "namespaces", holds: problem === undefined, ...(problem && { reason: problem }) },
      ],
      folder,
    );
  }

  /** Why nothing may start: a layer is missing and the mode is strict. A sentence for admins. */
  get refusal(): string | undefined {
    const missing = this.layers.find(({ holds }) => !holds);
    if (this.mode !== "strict" || missing === undefined) return undefined;
    return `\`plugins.confinement\` is strict, and the layer ${missing.layer} does not hold: ${missing.reason}`;
  }

  /**
   * The command that runs Node.js with `parameters`. Throws when the mode is strict and a layer is missing.
   * `workFolder` is among what it can read.
   */
  command(parameters: readonly string[], access: ProcessAccess, workFolder: string): ConfinedCommand {
    const { refusal } = this;
    if (refusal !== undefined) throw new Error(refusal);
    const node = process.execPath;
    if (this.mode === "off") return { command: node, parameters: [...parameters], isWrapped: false };
    const readable = [...codePaths(), ...access.readable];
    const permitted = this.holds("permissions")
      ? [...permissionParameters({ ...access, readable }), ...parameters]
      : [...parameters];
    const unshare = programPath("unshare");
    if (!this.holds("namespaces") || unshare === undefined)
      return { command: node, parameters: permitted, isWrapped: false };
    const paths: ViewPath[] = [
      ...[node, ...readable].map((path) => ({ path, writable: false })),
      ...access.writable.map((path) => ({ path, writable: true })),
    ];
    const view = viewParameters(join(this.folder, rootName), { paths, network: access.network, workFolder });
    const separate = [...namespaces, ...(access.network ? [] : ["--net"])];
    return {
      command: unshare,
      parameters: [
        ...separate,
        "sh",
        "-c",
        viewScript,
        "sh",
        join(this.folder, rootName),
        ...view,
        node,
        ...permitted,
      ],
      isWrapped: true,
    };
  }

  private holds(layer: ConfinementLayer["layer"]): boolean {
    return this.layers.some((each) => each.layer === layer && each.holds);
  }
}

/** All but the network. `unshare` ends with its child and the child with it. */
const namespaces = [
  "--user",
  "--map-current-user",
  "--keep-caps",
  "--mount",
  "--pid",
  "--ipc",
  "--uts",
  "--cgroup",
  "--fork",
  "--kill-child",
];

/** Why namespaces do not hold here: a sentence; undefined when they do. Builds a view and ends. */
async function namespaceProblem(root: string): Promise<string | undefined> {
  if (process.platform !== "linux") return "Namespaces are there on Linux only.";
  const unshare = programPath("unshare");
  if (unshare === undefined || programPath("setpriv") === undefined)
    return "The programs `unshare` and `setpriv` of util-linux are not installed.";
  if (!existsSync(`/proc/${process.pid}/task/${process.pid}/children`))
    return "The kernel does not list the children of a process.";
  const view = viewParameters(root, {
    paths: [{ path: process.execPath, writable: false }],
    network: false,
    workFolder: "/",
  });
  try {
    const parameters = [
      ...namespaces,
      "--net",
      "sh",
      "-c",
      viewScript,
      "sh",
      root,
      ...view,
      "/bin/sh",
      "-c",
      ":",
    ];
    await promisify(execFile)(unshare, parameters, { timeout: checkTime, env: {} });
    return undefined;
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    const line = said.split("\n").at(0) ?? "";
    return `The system does not allow them to this user${line === "" ? "" : ` (${line})`}.`;
  }
}

/** Parameters of Node.js for its permission model. */
function permissionParameters({
  readable,
  writable,
  network,
  programs,
  threads,
  native,
}: ProcessAccess): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  // Node.js 20 says that it is an experiment with each start.
  const model = known.has("--permission")
    ? ["--permission"]
    : ["--experimental-permission", "--disable-warning=ExperimentalWarning"];
  const allowed = [
    ...(network && known.has("--allow-net") ? ["--allow-net"] : []),
    ...(programs ? ["--allow-child-process"] : []),
    ...(threads ? ["--allow-worker"] : []),
    ...(native ? ["--allow-addons"] : []),
  ];
  return [
    ...model,
    ...[...readable, ...writable].map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
    ...allowed,
  ];
}

/** Where a program of the system is. */
function programPath(name: string): string | undefined {
  return ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/**
 * What plugins may do: the door of this folder.
 *
 * In: the permissions that a manifest asks for, and the grants of the admin. Out: what is missing, and what a process may do:
 * the servers and services that it may use through the host, and what its process can reach.
 * Owns: nothing.
 */
import { RequestError, type Static, Type } from "@slipway/sdk";
import type { PluginPermits } from "@slipway/sdk/runtime/host";
import { folderName, type PluginGrants, ServerPattern } from "../../configuration/plugin-grants.js";
import { isServer } from "../../fetch/fetch.js";
import type { ConfinementMode, ProcessAccess } from "../../system/confinement/confinement.js";

const closed = { additionalProperties: false } as const;
const reason = Type.String({
  minLength: 1,
  maxLength: 300,
  description: "Why the plugin needs it: one sentence for admins.",
});
const Plain = (description: string) => Type.Optional(Type.Object({ reason }, { ...closed, description }));
const Folders = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        folders: Type.Array(Type.String({ pattern: folderName }), {
          minItems: 1,
          maxItems: 20,
          description: "Names, which the admin maps to folders.",
        }),
        reason,
      },
      { ...closed, description },
    ),
  );

/** What a plugin asks for in its manifest. */
export const Permissions = Type.Object(
  {
    network: Type.Optional(
      Type.Object(
        {
          hosts: Type.Array(ServerPattern, { default: [], maxItems: 50 }),
          direct: Type.Optional(
            Type.Boolean({
              description: "Opens sockets itself, besides `host.fetch`. Default: false.",
            }),
          ),
          reason,
        },
        {
          ...closed,
          description: "Servers for `host.fetch`, such as api.example.com or *.example.com:8443.",
        },
      ),
    ),
    read: Folders("Folders to read."),
    write: Folders("Folders to read and write."),
    temporary: Plain("A private folder for temporary files, at `os.tmpdir()`."),
    programs: Plain("Starts other programs."),
    threads: Plain("Starts threads."),
    native: Plain("Loads native add-ons."),
    environment: Type.Optional(
      Type.Object(
        {
          names: Type.Array(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), {
            minItems: 1,
            maxItems: 50,
          }),
          reason,
        },
        { ...closed, description: "Environment variables of the host." },
      ),
    ),
    services: Type.Optional(
      Type.Object(
        {
          plugins: Type.Array(Type.String({ pattern: "^[A-Za-z][A-Za-z0-9.-]{0,63}(@.{1,100})?$" }), {
            minItems: 1,
            maxItems: 50,
            description: 'As `host.service` names them, such as "Reporter@^1.0.0".',
          }),
          reason,
        },
        { ...closed, description: "Other plugins whose services it calls. Needs no grant." },
      ),
    ),
  },
  { ...closed, title: "PluginPermissions" },
);
export type Permissions = Static<typeof Permissions>;

/** A permission that a plugin asks for and does not have. */
export const MissingGrant = Type.Object(
  {
    permission: Type.Enum(
      ["network", "sockets", "read", "write", "temporary", "programs", "threads", "native", "environment"],
      { description: "The member of the grants." },
    ),
    value: Type.Optional(Type.String({ description: "The server, folder or variable." })),
    reason: Type.String({ description: "Why the plugin needs it, in the words of its author." }),
  },
  { title: "PluginMissingGrant" },
);
export type MissingGrant = Static<typeof MissingGrant>;

const plainPermissions = ["temporary", "programs", "threads", "native"] as const;

/** What a plugin asks for beyond its grants. A plugin that declares nothing asks for nothing. */
export function missingGrants(permissions: Permissions | undefined, grants: PluginGrants): MissingGrant[] {
  if (permissions === undefined) return [];
  const { network, environment } = permissions;
  const missing: MissingGrant[] = [];
  const ask = (permission: MissingGrant["permission"], reason: string, value?: string): void => {
    missing.push({ permission, reason, ...(value === undefined ? {} : { value }) });
  };
  if (network !== undefined) {
    for (const host of network.hosts)
      if (!covers(grants.network ?? [], host)) ask("network", network.reason, host);
    if (network.direct === true && grants.sockets !== true) ask("sockets", network.reason);
  }
  for (const kind of ["read", "write"] as const)
    for (const folder of permissions[kind]?.folders ?? [])
      if (grants[kind]?.[folder] === undefined) ask(kind, permissions[kind]?.reason ?? "", folder);
  for (const kind of plainPermissions) {
    const asked = permissions[kind];
    if (asked !== undefined && grants[kind] !== true) ask(kind, asked.reason);
  }
  for (const name of environment?.names ?? [])
    if (!grants.environment?.includes(name)) ask("environment", environment?.reason ?? "", name);
  return missing;
}

/** What missing grants are, in one sentence for admins. */
export function missingText(missing: readonly MissingGrant[]): string {
  const items = missing.map(
    ({ permission, value, reason }) =>
      `${permission}${value === undefined ? "" : ` ${JSON.stringify(value)}`} (${reason.replace(/\.$/, "")})`,
  );
  return `It waits for grants: ${items.join("; ")}.`;
}

/** Grants in one sentence. */
export function grantsText(grants: PluginGrants): string {
  const items = Object.entries(grants).flatMap(([kind, value]) => {
    if (value === false) return [];
    if (value === true) return [kind];
    return [`${kind} ${(Array.isArray(value) ? value : Object.keys(value)).join(", ")}`];
  });
  return items.length === 0 ? "Nothing is granted." : `Granted: ${items.join("; ")}.`;
}

/** What either of two admins' sources grants; folders of the first one win. */
export function joinedGrants(first: PluginGrants, second: PluginGrants): PluginGrants {
  const lists = (kind: "network" | "environment" | "services"): string[] | undefined => {
    const [one, other] = [first[kind], second[kind]];
    return one === undefined && other === undefined ? undefined : [...(one ?? []), ...(other ?? [])];
  };
  const allowed = (kind: "sockets" | (typeof plainPermissions)[number]): boolean =>
    first[kind] === true || second[kind] === true;
  const named = <K extends "network" | "environment" | "services">(kind: K) => {
    const list = lists(kind);
    return list === undefined ? {} : { [kind]: list };
  };
  return {
    ...named("network"),
    ...named("environment"),
    ...named("services"),
    read: { ...second.read, ...first.read },
    write: { ...second.write, ...first.write },
    sockets: allowed("sockets"),
    temporary: allowed("temporary"),
    programs: allowed("programs"),
    threads: allowed("threads"),
    native: allowed("native"),
  };
}

/** What one plugin version may do. */
export interface GrantedPermissions extends PluginPermits {
  /** Folders by name, absolute. */
  readonly folders: ReadonlyMap<string, string>;
  readonly temporary: boolean;
  /** Names of variables. */
  readonly environment: readonly string[];
  /** Without the folder of the plugin itself. */
  readonly access: ProcessAccess;
}

/**
 * What a version may do: what its manifest asks for, as far as it is granted. A plugin of before permissions declares nothing;
 * it may do what it is granted.
 */
export function grantedPermissions(
  permissions: Permissions | undefined,
  grants: PluginGrants,
  confinement: ConfinementMode,
): GrantedPermissions {
  const isFree = permissions === undefined && confinement === "off";
  const asks = (kind: keyof Permissions): boolean =>
    permissions === undefined || permissions[kind] !== undefined;
  const folders = (kind: "read" | "write"): [string, string][] =>
    Object.entries(grants[kind] ?? {}).filter(
      ([name]) => permissions === undefined || permissions[kind]?.folders.includes(name) === true,
    );
  const writable = folders("write");
  const allowed = (kind: (typeof plainPermissions)[number]): boolean => asks(kind) && grants[kind] === true;
  const asksForSockets = permissions === undefined || permissions.network?.direct === true;
  const names = (grants.environment ?? []).filter(
    (name) => permissions === undefined || permissions.environment?.names.includes(name) === true,
  );
  return {
    folders: new Map([...folders("read"), ...writable]),
    temporary: allowed("temporary"),
    environment: names,
    access: {
      readable: folders("read").map(([, path]) => path),
      writable: writable.map(([, path]) => path),
      network: asksForSockets && grants.sockets === true,
      programs: allowed("programs"),
      threads: allowed("threads"),
      native: allowed("native"),
    },
    fetch: (url) => {
      if (isFree) return;
      const isAsked =
        permissions?.network?.hosts.some((pattern) => isServer(pattern, url)) ?? permissions === undefined;
      if (!isAsked || !grants.network?.some((pattern) => isServer(pattern, url)))
        throw refusedPermission("network", url.host, isAsked);
    },
    service: (plugin) => {
      if (isFree) return;
      const [name = ""] = plugin.split("@");
      const isAsked =
        permissions?.services?.plugins.some((each) => each === name || each === plugin) ??
        permissions === undefined;
      const isGranted = grants.services?.includes(name) ?? true;
      if (!isAsked || !isGranted) throw refusedPermission("services", plugin, isAsked);
    },
  };
}

/** 403 with the way to the permission. */
function refusedPermission(
  permission: "network" | "services",
  value: string,
  isAsked: boolean,
): RequestError {
  const way = isAsked
    ? "its admin has not granted this"
    : `its package.json does not declare this in \`slipway.permissions.${permission}\``;
  return new RequestError({
    id: "request-forbidden",
    code: 403,
    message: `The plugin may not use ${permission} ${JSON.stringify(value)}: ${way}.`,
  });
}

/** Whether one of the patterns stands for all servers of another. */
function covers(patterns: readonly string[], asked: string): boolean {
  const parts = (pattern: string): [name: string, port: string] => {
    const [name = "", port = ""] = pattern.toLowerCase().split(":");
    return [name, port];
  };
  const [name, port] = parts(asked);
  return patterns.map(parts).some(([outer, outerPort]) => {
    if (outerPort !== port) return false;
    return outer === "*" || outer === name || (outer.startsWith("*.") && name.endsWith(outer.slice(1)));
  });
}

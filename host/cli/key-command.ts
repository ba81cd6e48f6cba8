import { Command, InvalidArgumentError } from "commander";
import { flags } from "../configuration/flags.js";
import { Role } from "../security/caller.js";
import type { KeySource } from "../security/key-source.js";
import type { StoredKey } from "../security/stored-keys.js";
import { localTime, print, printJson, table } from "../system/terminal-text.js";
import { commandGroup, WrongUse } from "./command-group.js";
import { collect, configurationOf, withConfigurationOptions } from "./configuration-options.js";

/** `slipway key`: manages the keys of a host in the key file, whether the host runs or not. */
export function keyCommand(): Command {
  const group = new Command("key").addHelpText(
    "after",
    `
A host asks for keys as soon as there is one. It takes a change over within moments, without a restart.
To replace a key: make a new one of the same name, give it to its clients, remove the old one by its id.

Examples:
  $ slipway key new admin --role operate --role sessions
  $ slipway key new monitoring --role read --expires 365d
  $ slipway key list
  $ slipway key remove monitoring`,
  );
  return commandGroup(group, [keyNewCommand(), keyListCommand(), keyRemoveCommand()]);
}

/** `slipway key list`: the keys of a host, without secrets. */
function keyListCommand(): Command {
  const command = new Command("list")
    .description("list the keys, without their secrets")
    .option("--json", "print them as JSON");
  return withKeyOptions(command).action(async (options: Record<string, unknown> & { json?: true }) => {
    const { parseKeys } = await import("../security/stored-keys.js");
    const keys = await withKeys(options, async (source) => {
      const text = await source.read();
      return text === undefined ? [] : parseKeys(text, source.name);
    });
    if (options.json) printJson({ keys: keys.map(({ hash: _, ...facts }) => facts) });
    else if (keys.length === 0) print(["There are no keys."]);
    else print(table(["NAME", "ID", "ROLES", "CREATED", "EXPIRES"], keys.map(row)));
  });
}

function row({ name, id, roles, created, expires }: StoredKey): string[] {
  return [name, id, roles.join(", "), localTime(created), shownExpiry(expires)];
}

function shownExpiry(expires: string | undefined): string {
  if (expires === undefined) return "never";
  return Date.parse(expires) <= Date.now() ? `${localTime(expires)} (expired)` : localTime(expires);
}

/** `slipway key remove`: revokes a key. */
function keyRemoveCommand(): Command {
  const command = new Command("remove")
    .description("remove a key; requests with it are refused from then on")
    .argument("<name>", "its name, or its id where several keys have the name");
  return withKeyOptions(command).action(async (name: string, options: Record<string, unknown>) => {
    const { removeKey } = await import("../security/change-keys.js");
    const { removed, left } = await withKeys(options, (keys) => removeKey(keys, name));
    print([`The key "${removed.name}" (${removed.id}) is removed.`]);
    if (left === 0)
      process.stderr.write(
        "It was the last one: a host on 127.0.0.1 no longer requires a key, a host on another address refuses all requests.\n",
      );
  });
}

interface NewOptions extends Record<string, unknown> {
  role?: string[];
  expires?: Date;
  json?: true;
}

const day = 24 * 60 * 60 * 1000;
const units: Record<string, number> = { h: day / 24, d: day, w: 7 * day };

/** `slipway key new`: creates a key and prints it once. */
function keyNewCommand(): Command {
  const command = new Command("new")
    .description("make a key and print it, this once")
    .argument("<name>", "owner of the key; shown in logs and the audit trail")
    .option(
      "--role <role>",
      "read: look at everything but projects; operate: also change plugins; sessions: open and use sessions; may be repeated",
      collect,
    )
    .option("--expires <time>", 'when it ends: "90d" (also h and w), or a date such as 2027-01-31', expiry)
    .option("--json", "print the key and what it is good for as JSON")
    .addHelpText(
      "after",
      `
The key itself goes to standard output, everything else to standard error.

Examples:
  $ slipway key new admin --role operate --role sessions
  $ slipway key new monitoring --role read --expires 365d > monitoring.key`,
    );
  return withKeyOptions(command).action(async (name: string, options: NewOptions) => {
    const roles = rolesOf(options.role ?? []);
    const { addKey } = await import("../security/change-keys.js");
    const { key, stored, namesakes } = await withKeys(options, (keys) =>
      addKey(keys, { name, roles, expires: options.expires }),
    );
    const { hash: _, ...facts } = stored;
    if (options.json) return printJson({ ...facts, key });
    print([key]);
    const ending = stored.expires === undefined ? "It does not expire." : `It expires at ${stored.expires}.`;
    const lines = [
      `The key "${name}" (${stored.id}) allows: ${roles.join(", ")}. ${ending}`,
      "It is shown only once: store it with the secrets of its client. Clients send it as",
      '"Authorization: Bearer <key>"; commands take it from SLIPWAY_API_KEY or from the file that --key-file names.',
      ...namesakes.map(
        ({ id, created }) =>
          `There is an older key of this name, of ${created}. Once it is unused: slipway key remove ${id}`,
      ),
    ];
    process.stderr.write(`${lines.join("\n")}\n`);
  });
}

function rolesOf(given: readonly string[]): Role[] {
  const roles = Role.enum.filter((role) => given.includes(role));
  const unknown = given.find((role) => !roles.some((known) => known === role));
  if (unknown !== undefined)
    throw new WrongUse(`There is no role "${unknown}"; there are ${Role.enum.join(", ")}.`);
  if (roles.length === 0)
    throw new WrongUse(`Say what the key is for: --role ${Role.enum.join(", --role ")}, one or more.`);
  return roles;
}

function expiry(text: string): Date {
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const length = units[unit];
  const time =
    count !== undefined && length !== undefined ? Date.now() + Number(count) * length : dateOf(text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Expected a length such as "90d", or a date such as "2027-01-31".');
  if (time <= Date.now()) throw new InvalidArgumentError("Expected a time that is still to come.");
  return new Date(time);
}

/** A date is midnight UTC; a time needs a zone. */
function dateOf(text: string): number {
  return /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
}

/** Adds the options that locate the key file. */
function withKeyOptions(command: Command): Command {
  const others = flags.map(({ option }) => option).filter((option) => option !== "var");
  return withConfigurationOptions(command, others);
}

/** Works with the keys of the hosts of a configuration. */
export async function withKeys<T>(
  options: Record<string, unknown>,
  work: (keys: KeySource) => Promise<T>,
): Promise<T> {
  // A missing key makes an external address a configuration error, which creating a key fixes.
  const configuration = configurationOf({ ...options, host: "127.0.0.1" });
  const { openKeys } = await import("../engine/create-engine.js");
  const { createLog } = await import("../observability/log.js");
  const log = createLog({ ...configuration.log, level: "silent" });
  const { keys, close } = await openKeys(configuration, log);
  try {
    return await work(keys);
  } finally {
    await close();
  }
}

import { Command } from "commander";
import type { StoredKey } from "../security/stored-keys.js";
import { localTime, print, printJson, table } from "../system/terminal-text.js";
import { commandGroup } from "./command-group.js";
import { keyNewCommand } from "./key-new-command.js";
import { chosenKeyFile, withKeyOptions } from "./key-options.js";

/** `slipway key`: who may do what with a host. Works on the key file, whether the host runs or not. */
export function keyCommand(): Command {
  const group = new Command("key").description("make, list and remove the keys of a host").addHelpText(
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

/** `slipway key list`: the keys of a host, without what opens anything. */
function keyListCommand(): Command {
  const command = new Command("list")
    .description("list the keys, without their secrets")
    .option("--json", "print them as JSON");
  return withKeyOptions(command).action(async (options: Record<string, unknown> & { json?: true }) => {
    const { storedKeys } = await import("../security/stored-keys.js");
    const keys = await storedKeys(chosenKeyFile(options));
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

/** `slipway key remove`: from then on the host does not know the key. */
function keyRemoveCommand(): Command {
  const command = new Command("remove")
    .description("remove a key; whoever still uses it is refused from then on")
    .argument("<name>", "its name, or its id where several keys have the name");
  return withKeyOptions(command).action(async (name: string, options: Record<string, unknown>) => {
    const { removeKey } = await import("../security/remove-key.js");
    const { removed, left } = await removeKey(chosenKeyFile(options), name);
    print([`The key "${removed.name}" (${removed.id}) is removed.`]);
    if (left === 0)
      process.stderr.write(
        "It was the last one: a host on this machine alone asks for no key any more, one beyond it refuses everybody.\n",
      );
  });
}

import { Command } from "commander";
import type { StoredKey } from "../security/stored-keys.js";
import { localTime, print, printJson, table } from "../system/terminal-text.js";
import { chosenKeyFile, withKeyOptions } from "./key-options.js";

/** `slipway key list`: the keys of a host, without what opens anything. */
export function keyListCommand(): Command {
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

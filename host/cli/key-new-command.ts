import { Command, InvalidArgumentError } from "commander";
import { Role } from "../security/caller.js";
import { print, printJson } from "../system/terminal-text.js";
import { collect } from "./configuration-options.js";
import { chosenKeyFile, withKeyOptions } from "./key-options.js";
import { WrongUse } from "./wrong-use.js";

interface NewOptions extends Record<string, unknown> {
  role?: string[];
  expires?: Date;
  json?: true;
}

const day = 24 * 60 * 60 * 1000;
const units: Record<string, number> = { h: day / 24, d: day, w: 7 * day };

/** `slipway key new`: a key, which is shown this once. */
export function keyNewCommand(): Command {
  const command = new Command("new")
    .description("make a key and print it, this once")
    .argument("<name>", "whose key it is; stands in logs and in the audit trail")
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
    const file = chosenKeyFile(options);
    const { addKey } = await import("../security/add-key.js");
    const { key, stored, namesakes } = await addKey(file, { name, roles, expires: options.expires });
    const { hash: _, ...facts } = stored;
    if (options.json) return printJson({ ...facts, key });
    print([key]);
    const ending = stored.expires === undefined ? "It does not expire." : `It expires at ${stored.expires}.`;
    const lines = [
      `The key "${name}" (${stored.id}) allows: ${roles.join(", ")}. ${ending}`,
      "This is the only time that it is shown: put it where its client keeps secrets. Clients send it as",
      '"Authorization: Bearer <key>"; commands take it from SLIPWAY_API_KEY or from the file that --key-file names.',
      ...namesakes.map(
        ({ id, created }) =>
          `There is an older key of this name, of ${created}. When nobody uses it any more: slipway key remove ${id}`,
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

/** A date is its beginning in UTC; a time needs its zone. */
function dateOf(text: string): number {
  return /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
}

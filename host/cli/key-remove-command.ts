import { Command } from "commander";
import { print } from "../system/terminal-text.js";
import { chosenKeyFile, withKeyOptions } from "./key-options.js";

/** `slipway key remove`: from then on the host does not know the key. */
export function keyRemoveCommand(): Command {
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

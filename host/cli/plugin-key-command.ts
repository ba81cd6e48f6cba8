import { Command } from "commander";

/** `slipway plugin key`: a key pair for signing; the private half goes into a file, the public one to standard output. */
export function pluginKeyCommand(): Command {
  return new Command("key")
    .description("make a key that signs plugins; prints the public key for the setting plugins.trust.keys")
    .argument("<file>", "where the private key goes; an existing file stays as it is")
    .action(async (_file: string) => {
      throw new Error("Not yet.");
    });
}

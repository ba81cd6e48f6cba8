import { Command } from "commander";
import { errorCode } from "../system/error-code.js";

/** `slipway plugin key`: a key pair for signing; the private half goes into a file, the public one to standard output. */
export function pluginKeyCommand(): Command {
  return new Command("key")
    .description("make a key that signs plugins; prints the public key for the setting plugins.trust.keys")
    .argument("<file>", "where the private key goes; a file that is there stays as it is")
    .addHelpText(
      "after",
      `
For those who ship plugins to hosts that admit only what they trust (settings plugins.trust). Keep the private key to yourself;
the public one goes into the configuration of these hosts.

Examples:
  $ slipway plugin key release-key.pem
  $ slipway plugin pack ./my-plugin --sign release-key.pem`,
    )
    .action(async (file: string) => {
      const { makeKey } = await import("../plugins/packages/make-key.js");
      const { publicKey, fingerprint } = await makeKey(file).catch((error: unknown) => {
        const exists = errorCode(error) === "EEXIST";
        throw exists ? new Error(`${file} exists; a key is never overwritten, name another file.`) : error;
      });
      process.stderr.write(
        `${file} is the private key ${fingerprint}; keep it to yourself. The public key is:\n`,
      );
      process.stdout.write(`${publicKey}\n`);
    });
}

/** A secret of this installation that makes the template keys of stores unguessable. */
import { createHmac, randomBytes } from "node:crypto";
import { chmod, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { privateFile, syncFolder, writeSynced } from "../../system/durable-files.js";
import { unlessGone } from "../template-folder.js";
import type { StoreAccess } from "./store-address.js";

const secretBytes = 32;

/** Separates the key of a store's template from its unguessable part; no key contains it. */
export const keyMark = "~";

export class InstallationSecret {
  private constructor(private readonly secret: Buffer) {}

  /** Reads the secret from a file; creates the file on demand. */
  static async open(file: string): Promise<InstallationSecret> {
    const known = await unlessGone(readFile(file));
    if (known?.length === secretBytes) {
      await chmod(file, privateFile);
      return new InstallationSecret(known);
    }
    const made = randomBytes(secretBytes);
    await rm(file, { force: true });
    await writeSynced(file, made);
    await syncFolder(dirname(file));
    return new InstallationSecret(made);
  }

  /** An id of a store and a token that reveals neither. */
  accessId(access: StoreAccess): string {
    return this.digest(["access", access.url.href, access.token]);
  }

  /** The key of a store's template for clients; stable for the same store, token and key. */
  templateKey(access: StoreAccess, key: string): string {
    return `${key}${keyMark}${this.digest(["template", access.url.href, access.token, key])}`;
  }

  private digest(parts: readonly string[]): string {
    return createHmac("sha256", this.secret).update(JSON.stringify(parts)).digest("base64url").slice(0, 32);
  }
}

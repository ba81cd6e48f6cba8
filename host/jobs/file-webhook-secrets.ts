import { readFile } from "node:fs/promises";
import { type Static, Type, Validator } from "@slipway/sdk";
import { Turns } from "../system/concurrency.js";
import { replaceSynced } from "../system/durable-files.js";
import { unlessMissing } from "../system/errors.js";
import { parsedJson } from "../system/json.js";
import { stored } from "../system/request-errors.js";
import { secretOverlap, type WebhookSecrets } from "./webhook-secrets.js";
import { newWebhookSecret } from "./webhook-signature.js";

const SignerSecrets = Type.Object({
  secret: Type.String(),
  previous: Type.Optional(Type.String()),
  /** Milliseconds since the epoch, to which the previous one counts. */
  until: Type.Optional(Type.Number()),
});
type SignerSecrets = Static<typeof SignerSecrets>;
const check = new Validator({ lazy: true }).compile(Type.Record(Type.String(), SignerSecrets), "secrets");

/** All secrets in one file, which only its owner may read. */
export class FileWebhookSecrets implements WebhookSecrets {
  private readonly secrets = new Map<string, SignerSecrets>();
  private readonly turns = new Turns();

  constructor(
    private readonly file: string,
    private readonly now: () => number = Date.now,
  ) {}

  async open(): Promise<void> {
    const text = await unlessMissing(readFile(this.file, "utf8"));
    if (text === undefined) return;
    const result = check(parsedJson(text));
    if (!result.ok) throw new Error(`The secrets of webhooks in ${this.file} cannot be read`);
    for (const [signer, secrets] of Object.entries(result.value)) this.secrets.set(signer, secrets);
  }

  async inForce(signer: string): Promise<string[]> {
    const {
      secret,
      previous,
      until = 0,
    } = this.secrets.get(signer) ??
    (await this.change(signer, (known) => known ?? { secret: newWebhookSecret() }));
    return previous !== undefined && until > this.now() ? [secret, previous] : [secret];
  }

  async rotate(signer: string): Promise<void> {
    await this.change(signer, (known) => ({
      secret: newWebhookSecret(),
      ...(known !== undefined && { previous: known.secret, until: this.now() + secretOverlap }),
    }));
  }

  private change(
    signer: string,
    next: (known: SignerSecrets | undefined) => SignerSecrets,
  ): Promise<SignerSecrets> {
    return this.turns.take("", async () => {
      const changed = next(this.secrets.get(signer));
      const all = new Map(this.secrets).set(signer, changed);
      await stored(replaceSynced(this.file, JSON.stringify(Object.fromEntries(all))));
      this.secrets.set(signer, changed);
      return changed;
    });
  }
}

/** Maps the client keys of store templates to archives; on disk, so that keys survive a restart. Contains no tokens. */
import { readFile } from "node:fs/promises";
import { type Log, type Static, Type, Validator } from "@slipway/sdk";
import { replaceSynced } from "../../system/durable-files.js";
import { parsedJson } from "../../system/json.js";
import { unlessGone } from "../template-folder.js";

const KnownTemplate = Type.Object({
  templateKey: Type.String(),
  /** The store and token that may use it, see `InstallationSecret.accessId`. */
  access: Type.String(),
  /** SHA-256. */
  archive: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type KnownTemplate = Static<typeof KnownTemplate>;

const KnownFile = Type.Object({ format: Type.Literal(1), templates: Type.Array(KnownTemplate) });
const check = new Validator({ lazy: true }).compile(KnownFile, "known templates");

/** Limit over all tokens; the file is written as a whole. */
const mostKnown = 20_000;

export class KnownTemplates {
  /** By key; the most recently listed last. */
  private readonly templates = new Map<string, KnownTemplate>();
  private writing: Promise<void> = Promise.resolve();
  private changed = false;

  constructor(
    private readonly file: string,
    private readonly log: Log,
  ) {}

  async open(): Promise<void> {
    const text = await unlessGone(readFile(this.file, "utf8"));
    if (text === undefined) return;
    const result = check(parsedJson(text));
    if (result.ok) for (const each of result.value.templates) this.templates.set(each.templateKey, each);
    else this.log.warn("The known templates of stores cannot be read; stores have to be asked again.");
  }

  /** The hash of the archive. */
  find(templateKey: string): string | undefined {
    return this.templates.get(templateKey)?.archive;
  }

  /** Replaces the templates of an access; of the previous ones, only keys in `kept` stay. */
  update(access: string, templates: readonly KnownTemplate[], kept: ReadonlySet<string>): void {
    for (const { templateKey, access: other } of this.templates.values()) {
      if (other === access && !kept.has(templateKey)) this.forget(templateKey);
    }
    this.learn(templates);
  }

  /** Adds templates of an access. */
  learn(templates: readonly KnownTemplate[]): void {
    for (const each of templates) {
      if (this.find(each.templateKey) !== each.archive) this.changed = true;
      this.templates.delete(each.templateKey);
      this.templates.set(each.templateKey, each);
    }
    for (const key of this.templates.keys()) {
      if (this.templates.size <= mostKnown) break;
      this.forget(key);
    }
    this.save();
  }

  /** Resolves when everything is on disk. */
  async close(): Promise<void> {
    await this.writing;
  }

  private forget(templateKey: string): void {
    if (this.templates.delete(templateKey)) this.changed = true;
  }

  private save(): void {
    this.writing = this.writing.then(async () => {
      if (!this.changed) return;
      this.changed = false;
      try {
        const content = { format: 1, templates: [...this.templates.values()] };
        await replaceSynced(this.file, JSON.stringify(content));
      } catch (error) {
        this.changed = true;
        this.log.error("The known templates of stores cannot be written.", { error });
      }
    });
  }
}

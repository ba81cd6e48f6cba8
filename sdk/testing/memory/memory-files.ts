import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  type Artifact,
  type ArtifactContent,
  artifactIdOf,
  artifactUrl,
  type Clock,
  cleanFilename,
  type GeneratedFiles,
  listOf,
} from "../../runtime/host.js";
import type { StoredTestFile } from "../test-answer.js";
import { ContentFile } from "./content-file.js";

/** Milliseconds, as on a host with default settings. */
const lifetime = 24 * 60 * 60_000;

/** A generated file with its URL. */
class MemoryFile extends ContentFile implements StoredTestFile {
  readonly id: string;

  constructor(
    readonly artifact: Artifact,
    readonly url: string,
    bytes: Uint8Array,
  ) {
    super({ ...artifact, bytes });
    this.id = artifact.id;
  }
}

/** Generated files of a test host. Ids are the same in each run. */
export class MemoryFiles implements GeneratedFiles {
  private readonly files = new Map<string, MemoryFile>();
  private made = 0;

  constructor(
    private readonly baseUrl: string,
    private readonly clock: Clock,
  ) {}

  get all(): readonly StoredTestFile[] {
    return [...this.files.values()];
  }

  /** The file of a URL or an id. The error for an unknown one lists the existing files. */
  named(url: unknown): StoredTestFile {
    const file = typeof url === "string" ? this.files.get(artifactIdOf(url) ?? url) : undefined;
    if (file !== undefined) return file;
    const urls = this.all.map((each) => each.url);
    throw new Error(
      `There is no file ${JSON.stringify(url)}; there are ${urls.length === 0 ? "none" : urls.join(", ")}.`,
    );
  }

  async create(file: { name: string; mediaType: string; content: ArtifactContent }): Promise<Artifact> {
    const pieces: Uint8Array[] = [];
    if (file.content instanceof Uint8Array) pieces.push(file.content);
    else for await (const next of file.content) pieces.push(...listOf(next));
    const bytes = new Uint8Array(Buffer.concat(pieces));
    this.made += 1;
    const created = this.clock.now();
    const artifact: Artifact = {
      id: `test-file-${String(this.made).padStart(10, "0")}`,
      name: cleanFilename(file.name),
      mediaType: file.mediaType,
      bytes: bytes.byteLength,
      etag: createHash("sha256").update(bytes).digest("hex"),
      created,
      expiresAt: created + lifetime,
    };
    this.files.set(artifact.id, new MemoryFile(artifact, artifactUrl(this.baseUrl, artifact), bytes));
    return artifact;
  }

  async find(id: string): Promise<Artifact | undefined> {
    return this.files.get(id)?.artifact;
  }

  read({ id }: Artifact, range?: { start: number; end: number }): Readable {
    const bytes = this.files.get(id)?.bytes ?? new Uint8Array();
    return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)]);
  }

  async discard(id: string): Promise<void> {
    this.files.delete(id);
  }
}

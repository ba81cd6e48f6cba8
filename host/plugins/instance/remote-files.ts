import type { Files, StoredFile } from "@slipway/sdk";
import { fromHost } from "./from-host.js";
import type { HostConnection } from "./host-connection.js";
import { type ComingContent, inPieces } from "./in-pieces.js";
import { requestScope } from "./request-scope.js";

interface NewFile {
  name: string;
  mediaType: string;
}

/** More goes in pieces, so that no file is too large for a message. */
const largestWhole = 256 * 1024;

/** Generated files as a plugin sees them. */
export function remoteFiles(connection: HostConnection): Files {
  return {
    create: async ({ name, mediaType, content }) => {
      const file = { name, mediaType };
      if (typeof content !== "string" && !(content instanceof Uint8Array))
        return await streamed(connection, file, content);
      if (content.length > largestWhole) return await streamed(connection, file, [content]);
      return fromHost<StoredFile>(await connection.call("files.create", file, [content]));
    },
    archive: async ({ name, files }) => {
      const entries = files.map((entry) => ({
        id: entry.file.id,
        ...(entry.name === undefined ? {} : { name: entry.name }),
      }));
      return fromHost<StoredFile>(await connection.call("files.archive", { name, files: entries }));
    },
  };
}

async function streamed(
  connection: HostConnection,
  newFile: NewFile,
  content: ComingContent,
): Promise<StoredFile> {
  const { values } = await connection.call("files.open", newFile);
  const file = Number(values["file"]);
  const writing = new Writing(connection, file);
  try {
    await writing.all(content);
    return fromHost<StoredFile>(await connection.call("files.finish", { file }));
  } catch (error) {
    // Of a request that has ended the host removes it by itself.
    await connection.call("files.discard", { file }).catch(() => undefined);
    throw error;
  }
}

/** Sends a file piece by piece; while one is on its way, the next one may be made. */
class Writing {
  private over = false;

  constructor(
    private readonly connection: HostConnection,
    private readonly file: number,
  ) {}

  /** Rejects as soon as nothing can come of the file, also while its author has not given the next chunk yet. */
  async all(content: ComingContent): Promise<void> {
    const signal = requestScope.getStore()?.signal;
    let fail: (reason: unknown) => void = () => undefined;
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const abort = (): void => fail(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    try {
      await Promise.race([this.each(content, fail), failed]);
    } finally {
      this.over = true;
      signal?.removeEventListener("abort", abort);
    }
  }

  private async each(content: ComingContent, fail: (reason: unknown) => void): Promise<void> {
    let written: Promise<unknown> = Promise.resolve();
    for await (const piece of inPieces(content)) {
      await written;
      if (this.over) return;
      written = this.connection.call("files.write", { file: this.file }, [piece]);
      written.catch(fail);
    }
    await written;
  }
}

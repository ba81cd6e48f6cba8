import type { Files, StoredFile } from "../../plugin/host.js";
import { fromHost } from "./from-host.js";
import type { HostLink } from "./host-link.js";
import { type ComingContent, inPieces } from "./in-pieces.js";
import { requestScope } from "./request-scope.js";

interface NewFile {
  name: string;
  mediaType: string;
}

/** More goes in pieces, so that no file is too large for a message. */
const largestWhole = 256 * 1024;

/** Generated files as a plugin sees them. */
export function remoteFiles(link: HostLink): Files {
  return {
    create: async ({ name, mediaType, content }) => {
      const file = { name, mediaType };
      if (typeof content !== "string" && !(content instanceof Uint8Array))
        return await streamed(link, file, content);
      if (content.length > largestWhole) return await streamed(link, file, [content]);
      return fromHost<StoredFile>(await link.call("files.create", file, [content]));
    },
    archive: async ({ name, files }) => {
      const entries = files.map((entry) => ({
        id: entry.file.id,
        ...(entry.name === undefined ? {} : { name: entry.name }),
      }));
      return fromHost<StoredFile>(await link.call("files.archive", { name, files: entries }));
    },
  };
}

async function streamed(link: HostLink, newFile: NewFile, content: ComingContent): Promise<StoredFile> {
  const { values } = await link.call("files.open", newFile);
  const file = Number(values["file"]);
  const writing = new Writing(link, file);
  try {
    await writing.all(content);
    return fromHost<StoredFile>(await link.call("files.finish", { file }));
  } catch (error) {
    // Of a request that has ended the host removes it by itself.
    await link.call("files.discard", { file }).catch(() => undefined);
    throw error;
  }
}

/** Sends a file piece by piece; while one is on its way, the next one may be made. */
class Writing {
  private over = false;

  constructor(
    private readonly link: HostLink,
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
      written = this.link.call("files.write", { file: this.file }, [piece]);
      written.catch(fail);
    }
    await written;
  }
}

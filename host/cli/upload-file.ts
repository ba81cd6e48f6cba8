import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { HostClient } from "./host-client.js";

const mostAtOnce = 64 * 1024;

/** Sends a file to a host, piece by piece; `told` hears how many bytes of how many are on their way. */
export async function uploadFile(
  host: HostClient,
  path: string,
  { file, mediaType }: { file: string; mediaType: string },
  told: (sent: number, total: number) => void,
): Promise<unknown> {
  const { size } = await stat(file);
  async function* content(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const piece of createReadStream(file, { highWaterMark: mostAtOnce })) {
      yield piece;
      sent += piece.length;
      told(sent, size);
    }
  }
  return await host.json(path, {
    method: "POST",
    // The host refuses at once what is too large.
    headers: { "Content-Type": mediaType, "Content-Length": String(size) },
    body: Readable.toWeb(Readable.from(content(), { objectMode: false })),
    duplex: "half",
  });
}

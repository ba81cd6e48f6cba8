import { constants, createDeflateRaw, type DeflateRaw } from "node:zlib";

/** Bytes of a block at most. Larger ones would be hardly smaller when deflated. */
export const blockBytes = 256 * 1024;

/** Ends deflated content: an empty last block (RFC 1951, section 3.2.6). */
export const lastBlock: Buffer = Buffer.from([0b11, 0]);

/** As many as there are threads for them by default. */
const maximumDeflaters = 4;

/**
 * The memory is worth a quarter of the processor time: larger tables, and fewer turns to another thread. After each block
 * the deflater forgets it, and what it has written ends at a full byte (RFC 1951, section 3.2.4).
 */
const deflating = {
  level: 6,
  memLevel: 9,
  chunkSize: 64 * 1024,
  flush: constants.Z_FULL_FLUSH,
  // A deflater must never wait for its reader, who reads after each block.
  readableHighWaterMark: 4 * blockBytes,
};

/** Deflaters without work. They are kept: making one for each block would run the garbage collector. */
const idle: DeflateRaw[] = [];
let count = 0;
const waiting: ((deflater: DeflateRaw) => void)[] = [];

/**
 * Deflates at most `blockBytes` bytes, which must not change meanwhile, in a thread of Node.js. The result does not refer
 * to other blocks; any sequence of results with `lastBlock` at its end is raw deflate (RFC 1951).
 */
export async function deflateBlock(bytes: Uint8Array): Promise<Buffer> {
  const deflater = idle.pop() ?? (await newDeflater());
  try {
    await new Promise<void>((resolve, reject) => {
      deflater.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    const deflated: Buffer | null = deflater.read();
    return deflated ?? Buffer.alloc(0);
  } finally {
    release(deflater);
  }
}

async function newDeflater(): Promise<DeflateRaw> {
  if (count >= maximumDeflaters) return await new Promise((resolve) => waiting.push(resolve));
  count += 1;
  const deflater = createDeflateRaw(deflating);
  // `deflateBlock` gets the error, too.
  deflater.on("error", () => undefined);
  return deflater;
}

function release(deflater: DeflateRaw): void {
  const next = waiting.shift();
  if (!deflater.destroyed) {
    if (next === undefined) idle.push(deflater);
    else next(deflater);
    return;
  }
  count -= 1;
  if (next !== undefined) void newDeflater().then(next);
}

/** Recognizes colour profiles (ICC.1:2022) that say nothing but sRGB, as cameras and programs write many. */

/** The primaries of sRGB, adapted to D50: X, Y and Z of red, green and blue. */
const primaries: readonly (readonly [tag: string, xyz: readonly number[]])[] = [
  ["rXYZ", [0.4361, 0.2225, 0.0139]],
  ["gXYZ", [0.3851, 0.7169, 0.0971]],
  ["bXYZ", [0.1431, 0.0606, 0.7141]],
];
const tolerance = 0.004;
/** What half of the signal means in light. */
const halfLight = 0.214;
const lightTolerance = 0.012;

/** Whether a profile has the primaries and the tone curve of sRGB; false for one that is damaged or of another kind. */
export function isSrgb(profile: Uint8Array): boolean {
  const buffer = Buffer.from(profile.buffer, profile.byteOffset, profile.byteLength);
  const tags = tagsOf(buffer);
  const hasPrimaries = primaries.every(([name, expected]) => {
    const tag = tags.get(name);
    return (
      tag !== undefined &&
      tag.length >= 20 &&
      expected.every((value, at) => Math.abs(fixed(tag, 8 + 4 * at) - value) < tolerance)
    );
  });
  return (
    hasPrimaries && ["rTRC", "gTRC", "bTRC"].every((name) => isSrgbCurve(tags.get(name) ?? Buffer.alloc(0)))
  );
}

/** The tag table (7.3): a count, then signature, offset and size of each. */
function tagsOf(buffer: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = buffer.length < 132 ? 0 : Math.min(buffer.readUInt32BE(128), 100);
  for (let at = 132; at < 132 + 12 * count && at + 12 <= buffer.length; at += 12) {
    const start = buffer.readUInt32BE(at + 4);
    tags.set(
      buffer.toString("latin1", at, at + 4),
      buffer.subarray(start, start + buffer.readUInt32BE(at + 8)),
    );
  }
  return tags;
}

/** curveType (10.6) or parametricCurveType (10.18), looked at in the middle. */
function isSrgbCurve(tag: Buffer): boolean {
  if (tag.length < 14) return false;
  const light = tag.toString("latin1", 0, 4) === "curv" ? sampledHalf(tag) : parametricHalf(tag);
  return light !== undefined && Math.abs(light - halfLight) < lightTolerance;
}

function sampledHalf(tag: Buffer): number | undefined {
  const count = tag.readUInt32BE(8);
  if (count === 1) return 0.5 ** (tag.readUInt16BE(12) / 256);
  const at = 12 + 2 * Math.floor((count - 1) / 2);
  return count > 1 && at + 2 <= tag.length ? tag.readUInt16BE(at) / 65_535 : undefined;
}

/** Function 3 is that of sRGB: (aX + b)^g. */
function parametricHalf(tag: Buffer): number | undefined {
  const kind = tag.toString("latin1", 0, 4) === "para" ? tag.readUInt16BE(8) : undefined;
  if (kind === 0 && tag.length >= 16) return 0.5 ** fixed(tag, 12);
  if (kind !== 3 || tag.length < 24) return undefined;
  return (fixed(tag, 16) * 0.5 + fixed(tag, 20)) ** fixed(tag, 12);
}

/** s15Fixed16Number. */
function fixed(buffer: Buffer, at: number): number {
  return buffer.readInt32BE(at) / 65_536;
}

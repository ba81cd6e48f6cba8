/** The media type of a picture by its first bytes, because a session keeps the bytes of its assets and nothing else. */
export function imageMediaType(content: Uint8Array): string {
  const start = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, 512));
  const binary = start.toString("latin1");
  if (binary.startsWith("\x89PNG\r\n")) return "image/png";
  if (binary.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (binary.startsWith("GIF8")) return "image/gif";
  if (binary.startsWith("BM")) return "image/bmp";
  if (binary.startsWith("RIFF") && binary.slice(8, 12) === "WEBP") return "image/webp";
  if (/^(ftypavif|ftypavis)$/.test(binary.slice(4, 12))) return "image/avif";
  if (/<svg[\s>]/.test(start.toString("utf8"))) return "image/svg+xml";
  return "application/octet-stream";
}

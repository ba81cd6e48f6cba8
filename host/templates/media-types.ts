const mediaTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  otf: "font/otf",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
};

/** Media type of a file that a document loads, by the end of its name. */
export function mediaTypeOf(path: string): string {
  const end = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return (Object.hasOwn(mediaTypes, end) ? mediaTypes[end] : undefined) ?? "application/octet-stream";
}

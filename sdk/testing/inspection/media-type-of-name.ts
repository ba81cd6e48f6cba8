const mediaTypes: ReadonlyMap<string, string> = new Map([
  ["csv", "text/csv; charset=utf-8"],
  ["gif", "image/gif"],
  ["html", "text/html; charset=utf-8"],
  ["jpeg", "image/jpeg"],
  ["jpg", "image/jpeg"],
  ["json", "application/json"],
  ["obx", "application/xml"],
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["svg", "image/svg+xml"],
  ["txt", "text/plain; charset=utf-8"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["xml", "application/xml"],
  ["zip", "application/zip"],
]);

/** Media type of a file of an archive, which has nothing but its name to tell it by. */
export function mediaTypeOfName(name: string): string {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return mediaTypes.get(ending) ?? "application/octet-stream";
}

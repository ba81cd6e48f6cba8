/** How contents are recognised: on every host, and over upgrades of the host. */

/** How a content is known. */
export interface ContentId {
  /** Of all that runs, packages of the host among it: another one on a host of another version. */
  readonly hash: string;
  /** Of the plugin's own files: the same on every host. */
  readonly sourceHash: string;
}

/** Whether a remembered id names a content: its source hash, or its hash where an earlier host remembered it. */
export function isNamed(id: string, { hash, sourceHash }: ContentId): boolean {
  return id === sourceHash || id === hash;
}

/** Whether one of the ids names a content. */
export function isAmong(ids: readonly string[], content: ContentId): boolean {
  return ids.some((id) => isNamed(id, content));
}

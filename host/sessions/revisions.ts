/**
 * What stores keep of the revisions of a session: the current one, the one before it for running requests, and those that jobs hold
 * that have not ended.
 */
import { type Static, Type } from "@slipway/sdk";
import type { RevisionContent } from "./session-store.js";

/** A readable revision of the project, with sizes in bytes. */
export const Revision = Type.Object({
  revision: Type.Integer({ minimum: 1 }),
  bytes: Type.Integer({ minimum: 0 }),
  assets: Type.Array(
    Type.Object({ sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }), bytes: Type.Integer() }),
  ),
});
export type Revision = Static<typeof Revision>;

/** A revision with its own assets, and with `held` ones that the session has already. */
export function revisionOf(
  revision: number,
  { project, assets }: RevisionContent,
  held: Revision["assets"] = [],
): Revision {
  const own = assets.map(({ sha256, content }) => ({ sha256, bytes: content.byteLength }));
  return { revision, bytes: project.byteLength, assets: [...held, ...own] };
}

/**
 * The revisions after a replacement of the last one; `kept` are the SHA-256 of assets of the last one, `held` are the numbers of further ones
 * that stay. Undefined when `revision` is not the next one.
 */
export function nextRevisions(
  revisions: readonly Revision[],
  revision: number,
  content: RevisionContent & { kept: readonly string[] },
  held: ReadonlySet<number>,
): Revision[] | undefined {
  const current = revisions.at(-1);
  if (current?.revision !== revision - 1) return undefined;
  const heldAssets = current.assets.filter(({ sha256 }) => content.kept.includes(sha256));
  const earlier = revisions.slice(0, -1).filter((each) => held.has(each.revision));
  return [...earlier, current, revisionOf(revision, content, heldAssets)];
}

/** Bytes of all revisions; assets that they share count once. */
export function bytesOf(revisions: readonly Revision[]): number {
  const assets = new Map(
    revisions.flatMap((each) => each.assets.map(({ sha256, bytes }) => [sha256, bytes])),
  );
  const projects = revisions.reduce((sum, each) => sum + each.bytes, 0);
  return [...assets.values()].reduce((sum, bytes) => sum + bytes, projects);
}

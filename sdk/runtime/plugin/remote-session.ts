import type { Session } from "../../plugin/session.js";
import type { ProjectDocument } from "../../project/document.js";
import type { Handle } from "../messages/request-messages.js";
import type { HostLink } from "./host-link.js";
import type { ProjectCache } from "./project-cache.js";

/** A session as a handler sees it; its content comes from the host when it is asked for. */
export function remoteSession(
  link: HostLink,
  cache: ProjectCache,
  session: NonNullable<Handle["session"]>,
): Session {
  const read = async (): Promise<Uint8Array> => {
    const { parts } = await link.call("session.project", {});
    const [content] = parts;
    if (content === undefined) throw new Error("The host's answer lacks the project.");
    return content;
  };
  // One that is too large for the cache is read once for each request, not for each of its pictures.
  let known: Promise<ProjectDocument> | undefined;
  const project: Session["project"] = () => {
    known ??= cache.project(session.id, session.revision, read);
    return known;
  };
  return Object.freeze({
    ...session,
    project,
    asset: async (key: string) => {
      const asset = (await project()).assets?.[key];
      if (asset?.sha256 === undefined) return undefined;
      const { parts } = await link.call("session.asset", { sha256: asset.sha256 });
      return parts[0];
    },
  });
}

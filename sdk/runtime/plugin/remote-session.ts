import { inspect } from "node:util";
import type { Log, Picture, PictureProblem, Session } from "../../plugin/handler-context.js";
import type { ProjectDocument } from "../../project/document.js";
import { ownMember } from "../../schema/own-member.js";
import type { Received } from "../messages/message.js";
import type { Handle } from "../messages/request-messages.js";
import type { HostLink } from "./host-link.js";
import type { ProjectCache } from "./project-cache.js";

/** The handler's view of a session; content is loaded from the host on demand. */
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
  // A project too large for the cache is read once per request, not once per picture.
  let known: Promise<ProjectDocument> | undefined;
  const project: Session["project"] = () => {
    known ??= cache.project(session.id, session.revision, read);
    return known;
  };
  const hashOf = async (key: string): Promise<string | undefined> =>
    ownMember((await project()).assets, key)?.sha256;
  return Object.freeze({
    ...session,
    project,
    asset: async (key: string) => {
      const sha256 = await hashOf(key);
      return sha256 === undefined ? undefined : (await link.call("session.asset", { sha256 })).parts[0];
    },
    picture: async (key: string) => {
      const sha256 = await hashOf(key);
      return sha256 === undefined ? undefined : pictureOf(await link.call("session.picture", { sha256 }));
    },
  });
}

/** Undefined if the project does not have it. */
function pictureOf({ values, parts: [content] }: Received): Picture | PictureProblem | undefined {
  const { problem, mediaType, width, height } = values;
  if (typeof problem === "string") return { problem };
  if (content === undefined || typeof width !== "number" || typeof height !== "number") return undefined;
  return { mediaType: mediaType === "image/png" ? mediaType : "image/jpeg", content, width, height };
}

const maximumMessage = 8000;
const maximumFields = 32_000;

/** The plugin's log; the host adds plugin, version, process and request to each line. */
export function remoteLog(link: Pick<HostLink, "log">): Log {
  const write =
    (level: "debug" | "info" | "warn" | "error") => (message: string, fields?: Record<string, unknown>) =>
      link.log({
        level,
        message: String(message).slice(0, maximumMessage),
        fields: fieldsAsJson(fields),
      });
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Log fields must neither throw nor be large. */
function fieldsAsJson(fields: Record<string, unknown> | undefined): string {
  if (fields === undefined) return "{}";
  try {
    const text = JSON.stringify(fields, (_key, value: unknown) =>
      value instanceof Error ? inspect(value) : typeof value === "bigint" ? String(value) : value,
    );
    return text.length <= maximumFields
      ? text
      : JSON.stringify({ fields: `${text.slice(0, maximumFields)}…` });
  } catch {
    return JSON.stringify({ fields: inspect(fields, { depth: 3 }).slice(0, maximumFields) });
  }
}

import { readObk } from "../../formats/obk/read-obk.js";
import { readObx } from "../../formats/obx/read-obx.js";
import { parseLocale } from "../../locale/locale.js";
import { checkProject } from "../../project/check-project.js";
import type { ProjectDocument } from "../../project/document.js";
import { brokenReferences, type SessionContents, takeAssets } from "../../runtime/host.js";
import { RequestError } from "../../schema/errors.js";
import { badRequest, checked } from "../../schema/validation.js";
import { shownValue } from "../../schema/violation.js";
import type { TestSession, TestSessionOptions } from "../test-host.js";

/** The state of a session that requests carry. */
export interface SessionState {
  id: string;
  locale: string;
  revision: number;
}

interface OpenTestSession extends SessionState {
  /** JSON by revision: running requests keep the revision they started with. */
  projects: Map<number, Uint8Array>;
  assets: Map<string, Uint8Array>;
}

/** Open sessions of a test host. Ids are the same in each run. */
export class MemorySessions implements SessionContents {
  private readonly sessions = new Map<string, OpenTestSession>();
  private opened = 0;

  /** Rejects with 400 `request-bad-request` for an invalid project or locale. */
  async open(project: ProjectDocument | Uint8Array, options: TestSessionOptions = {}): Promise<TestSession> {
    const { locale = "en" } = options;
    if (parseLocale(locale) === undefined) throw noLocale(locale);
    const content = await openedProject(project, new Map());
    this.opened += 1;
    // Different from all ids of fixture projects, so that mixing them up fails.
    const id = `5e551011-0000-4000-8000-${String(this.opened).padStart(12, "0")}`;
    const session: OpenTestSession = { id, locale, revision: 1, projects: new Map(), assets: content.assets };
    session.projects.set(1, content.project);
    this.sessions.set(id, session);
    return this.handle(session);
  }

  /** The state of an open session for a request. */
  find(id: string): SessionState | undefined {
    const session = this.sessions.get(id);
    return session && { id: session.id, locale: session.locale, revision: session.revision };
  }

  async project(id: string, revision: number): Promise<Uint8Array | undefined> {
    return this.sessions.get(id)?.projects.get(revision);
  }

  async asset(id: string, sha256: string): Promise<Uint8Array | undefined> {
    return this.sessions.get(id)?.assets.get(sha256);
  }

  async hasAsset(id: string, sha256: string): Promise<boolean> {
    return this.sessions.get(id)?.assets.has(sha256) ?? false;
  }

  private handle(session: OpenTestSession): TestSession {
    return {
      id: session.id,
      locale: session.locale,
      get revision() {
        return session.revision;
      },
      replace: async (project) => {
        const content = await openedProject(project, session.assets);
        session.revision += 1;
        session.projects.set(session.revision, content.project);
        for (const [sha256, bytes] of content.assets) session.assets.set(sha256, bytes);
      },
      close: () => void this.sessions.delete(session.id),
    };
  }
}

/** A project as a session stores it: JSON and the bytes of its assets. */
async function openedProject(
  given: ProjectDocument | Uint8Array,
  known: ReadonlyMap<string, Uint8Array>,
): Promise<{ project: Uint8Array; assets: Map<string, Uint8Array> }> {
  const project = given instanceof Uint8Array ? await fileProject(given) : jsonProject(given);
  const taken = takeAssets(project, new Set(known.keys()));
  const violations = [...brokenReferences(project), ...taken.violations];
  if (violations.length > 0) throw badRequest("The project is not valid", violations);
  return {
    project: Buffer.from(JSON.stringify(taken.project)),
    assets: new Map(taken.assets.map(({ sha256, content }) => [sha256, content])),
  };
}

/**
 * OBK files start with the ZIP signature; anything that is neither ZIP nor JSON is parsed as OBX, which gives
 * a useful error.
 */
async function fileProject(bytes: Uint8Array): Promise<ProjectDocument> {
  const beginning = Buffer.from(bytes.subarray(0, 64)).toString("latin1");
  if (beginning.startsWith("PK")) return (await readObk(bytes)).project;
  if (/^(?:\xef\xbb\xbf)?\s*\{/.test(beginning)) return jsonProject(readJson(bytes));
  return (await readObx(bytes)).project;
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (reason) {
    throw new RequestError({
      id: "request-bad-request",
      code: 400,
      message: "The project file cannot be read, because it is not JSON in UTF-8.",
      reason,
    });
  }
}

/** A copy made through JSON, so that the test's project is never changed. */
function jsonProject(project: unknown): ProjectDocument {
  const copy: unknown = JSON.parse(JSON.stringify(project));
  return checked(checkProject(copy), "The project is not valid");
}

function noLocale(locale: string): Error {
  const expected = 'a locale such as "de_DE"';
  return badRequest("The session cannot be opened", [
    { path: "locale", expected, received: shownValue(locale) },
  ]);
}

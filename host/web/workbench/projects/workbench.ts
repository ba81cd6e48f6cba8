import { isJsonObject, parsedJson } from "../../../system/json.js";
import { tabStorage } from "../../client/browser-storage.js";
import type { HostClient } from "../../client/host-client.js";
import { Observed } from "../../client/observed.js";
import type { AnswerOf } from "../../client/operations.js";
import { upload } from "../../client/upload.js";
import { browserLocale } from "../../parts/language.js";
import { language } from "../../parts/words.js";
import { OpenProject, type ProjectFacts } from "./open-project.js";
import { forgetOtherProjects } from "./project-storage.js";

const kept = "slipway-workbench projects";

/** A file that is being uploaded. */
export interface Opening {
  id: number;
  file: File;
  /** Uploaded share, from 0 to 1. */
  share: number;
  failure?: unknown;
}

/** The open projects of this browser tab, and the files that it is opening. */
export class Workbench {
  readonly projects: Observed<readonly OpenProject[]>;
  readonly openings = new Observed<readonly Opening[]>([]);
  private readonly running = new Map<number, AbortController>();
  private lastId = 0;

  constructor(private readonly host: HostClient) {
    this.projects = new Observed<readonly OpenProject[]>(
      readFacts().map((facts) => new OpenProject(host, facts)),
    );
    // A restored or duplicated tab can have entries of projects that are not open here.
    forgetOtherProjects(this.projects.value.map(({ facts }) => facts.sessionId));
    this.projects.follow((projects) => {
      const facts = projects.map((each) => each.facts);
      // If storage is full, the list of projects matters most.
      if (!tabStorage.keep(kept, JSON.stringify(facts)))
        tabStorage.keep(kept, JSON.stringify(facts.map((each) => ({ ...each, warnings: [] }))));
    });
  }

  find(sessionId: string | undefined): OpenProject | undefined {
    return this.projects.value.find(({ facts }) => facts.sessionId === sessionId);
  }

  /** Opens a project file. Undefined if this failed or was cancelled; `openings` keeps a failure. */
  async open(file: File): Promise<OpenProject | undefined> {
    this.lastId += 1;
    const id = this.lastId;
    const given = new AbortController();
    this.running.set(id, given);
    this.openings.set([...this.openings.value, { id, file, share: 0 }]);
    try {
      const form = new FormData();
      form.set("locale", browserLocale(language.value).replace("-", "_"));
      form.set("project", file, file.name);
      const answer = await upload<AnswerOf<"POST /api/sessions">>(this.host, {
        path: "api/sessions",
        body: form,
        progressed: (share) => this.change(id, { share }),
        signal: given.signal,
      });
      this.dismiss(id);
      return this.add({
        sessionId: answer.sessionId,
        locale: answer.locale,
        name: answer.project.name || file.name.replace(/\.[^.]+$/, ""),
        warnings: answer.warnings,
        isOwn: true,
      });
    } catch (failure) {
      if (!given.signal.aborted) this.change(id, { failure });
      return undefined;
    }
  }

  /** Shows a project that another client opened. Rejects with a `RefusedRequest` if the host does not know the session. */
  async join(sessionId: string): Promise<OpenProject> {
    const known = this.find(sessionId);
    if (known !== undefined) return known;
    const session = await this.host.call("GET /api/sessions/:sessionId", { params: { sessionId } });
    const { locale, project } = session;
    return this.add({
      sessionId: session.sessionId,
      locale,
      name: project.name,
      warnings: [],
      isOwn: false,
    });
  }

  /** Cancels opening a file, or removes its failure. */
  dismiss(id: number): void {
    this.running.get(id)?.abort();
    this.running.delete(id);
    this.openings.set(this.openings.value.filter((each) => each.id !== id));
  }

  close(project: OpenProject): void {
    this.projects.set(this.projects.value.filter((each) => each !== project));
    project.close();
  }

  private add(facts: ProjectFacts): OpenProject {
    const known = this.find(facts.sessionId);
    if (known !== undefined) return known;
    const project = new OpenProject(this.host, facts);
    this.projects.set([...this.projects.value, project]);
    return project;
  }

  private change(id: number, facts: Partial<Opening>): void {
    this.openings.set(this.openings.value.map((each) => (each.id === id ? { ...each, ...facts } : each)));
  }
}

function readFacts(): ProjectFacts[] {
  const found: unknown = parsedJson(tabStorage.read(kept) ?? "[]");
  return (Array.isArray(found) ? found : []).flatMap((each: unknown) => {
    if (!isJsonObject(each)) return [];
    const { sessionId, locale, name, warnings, isOwn } = each;
    if (typeof sessionId !== "string" || typeof locale !== "string" || typeof name !== "string") return [];
    return [{ sessionId, locale, name, warnings: readWarnings(warnings), isOwn: isOwn === true }];
  });
}

function readWarnings(found: unknown): ProjectFacts["warnings"] {
  return (Array.isArray(found) ? found : []).flatMap((each: unknown) => {
    if (!isJsonObject(each)) return [];
    const { path, message, line, count } = each;
    if (typeof path !== "string" || typeof message !== "string") return [];
    return [
      {
        path,
        message,
        ...(typeof line === "number" && { line }),
        ...(typeof count === "number" && { count }),
      },
    ];
  });
}

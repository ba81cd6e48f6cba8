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

/** A file on its way to the host. */
export interface Opening {
  id: number;
  file: File;
  /** How much is sent, from 0 to 1. */
  share: number;
  failure?: unknown;
}

/** The open projects of this tab of the browser, and the files that are being opened. */
export class Workbench {
  readonly projects: Observed<readonly OpenProject[]>;
  readonly openings = new Observed<readonly Opening[]>([]);
  private readonly running = new Map<number, AbortController>();
  private lastId = 0;

  constructor(private readonly host: HostClient) {
    this.projects = new Observed<readonly OpenProject[]>(
      readFacts().map((facts) => new OpenProject(host, facts)),
    );
    // A tab that was closed in between, or is a copy of another one, has more than it needs.
    forgetOtherProjects(this.projects.value.map(({ facts }) => facts.sessionId));
    this.projects.follow((projects) => {
      const facts = projects.map((each) => each.facts);
      // Where there is no room for all, the projects themselves count most.
      if (!tabStorage.keep(kept, JSON.stringify(facts)))
        tabStorage.keep(kept, JSON.stringify(facts.map((each) => ({ ...each, warnings: [] }))));
    });
  }

  find(sessionId: string | undefined): OpenProject | undefined {
    return this.projects.value.find(({ facts }) => facts.sessionId === sessionId);
  }

  /** Opens the project of a file; its failure stays in `openings`. Undefined where it failed or was given up. */
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

  /** Shows a project that somebody else has opened. Rejects with a `RefusedRequest` where the host does not know it. */
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

  /** Gives up or forgets a file that is being opened. */
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

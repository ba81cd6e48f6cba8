import { type ProjectDocument, walkItems } from "@slipway/sdk";
import type { ProjectSummary } from "./session-store.js";

/** What lists show of a project. */
export function summarizeProject(project: ProjectDocument): ProjectSummary {
  const items = [...walkItems(project.items)];
  const schemes = new Set((project.procedures ?? []).map((procedure) => procedure.name));
  if (project.settings.defaultScheme !== undefined) schemes.add(project.settings.defaultScheme);
  return {
    id: project.id,
    name: project.header.name ?? "",
    number: project.header.number ?? "",
    currency: project.settings.currency,
    languages: project.settings.languages,
    items: items.length,
    articles: items.filter((item) => item.type === "article" || item.type === "userArticle").length,
    views: (project.views ?? []).map(({ id, name }) => ({ id, name })),
    schemes: [...schemes],
  };
}

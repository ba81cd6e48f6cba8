/** The checks of `slipway template check`. */
import { access, constants } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { Type } from "@slipway/sdk";
import { checkAccessibility, checkArchive } from "@slipway/sdk/runtime/pdf";
import type { Configuration } from "../configuration/configuration.js";
import { errorMessage } from "../system/errors.js";
import {
  describeProblem,
  type LoadedTemplate,
  readTemplate,
  TemplateProblem,
} from "../templates/templates.js";
import { answerReader, HostClient } from "./host-client.js";
import { ruleChecks } from "./pdf-checks.js";
import type { Check } from "./shown-results.js";
import { endProgress, tellProgress } from "./standard-output.js";
import { withTemporaryHost } from "./temporary-host.js";

const readStates = answerReader(
  Type.Object({
    templates: Type.Array(
      Type.Object({
        folder: Type.String(),
        error: Type.Optional(Type.String()),
        warnings: Type.Array(Type.String()),
        notes: Type.Array(TemplateProblem),
      }),
    ),
  }),
);

/**
 * Checks a template folder as a host with this configuration does and, with a project, prints it in each of the
 * template's languages.
 */
export async function* templateChecks(
  folder: string,
  project: string | undefined,
  configuration: Configuration,
): AsyncGenerator<Check> {
  const path = resolve(folder);
  if (project !== undefined) await access(project, constants.R_OK); // before a host is started
  const read = await readTemplate(path, configuration.templates.allowUnsafeVelocityAccess);
  if ("problems" in read) return yield* read.problems.map(failed);
  const { definition, translations } = read.template;
  yield { name: "template.json", ok: true, detail: `${definition.key} ${definition.version}` };
  const folders = { ...configuration.folders, templates: [dirname(path)] };
  const log = { ...configuration.log, level: "silent" as const };
  // Hosts with a preview look for mistakes of authors.
  const settings = { ...configuration, folders, log, preview: true };
  const languages = translations.size === 0 ? ["en"] : [...translations.keys()];
  const checks: Check[] = [];
  tellProgress("Starting a host…");
  await withTemporaryHost(settings, async ({ url }) => {
    const client = new HostClient(url);
    checks.push(...(await hostChecks(client, basename(path))));
    // A template with unknown names still prints, and may have further mistakes.
    if (project === undefined || checks.some(({ ok, name }) => !ok && name !== "names")) return;
    const told = new Set<string>();
    for (const language of languages) {
      tellProgress(`Printing it in the language ${language}…`);
      checks.push(...(await printChecks(client, project, language, { definition, told })));
    }
  });
  endProgress();
  yield* checks;
}

function failed(problem: TemplateProblem): Check {
  const { excerpt } = problem;
  const shown = excerpt === undefined ? "" : `   ${excerpt.trim()}`;
  return { name: problem.file || "folder", ok: false, detail: `${describeProblem(problem)}${shown}` };
}

/** Problems that the host finds in its rendering processes. */
async function hostChecks(client: HostClient, folder: string): Promise<Check[]> {
  const { templates } = readStates(await client.json("/api/templates"));
  const state = templates.find((each) => each.folder === folder);
  if (state === undefined) {
    const detail = `Hosts take no folder for a template whose name is like "${folder}"; give it another one.`;
    return [{ name: "folder", ok: false, detail }];
  }
  const mistakes = state.error?.split("\n") ?? [];
  return [
    ...mistakes.map((detail) => ({ name: "files", ok: false, detail })),
    ...(mistakes.length === 0 ? [{ name: "files", ok: true, detail: "all of them compile" }] : []),
    ...state.notes.map((note) => ({ name: "names", ok: false, detail: describeProblem(note) })),
    ...state.warnings.map((detail): Check => ({ name: "texts", ok: true, detail, hint: true })),
  ];
}

const unknownName = "template-name-unknown";

/**
 * Checks one report: unknown names (unless in `told`), other suppressed errors, and the declared accessibility and archivability.
 */
async function printChecks(
  client: HostClient,
  project: string,
  language: string,
  { definition, told }: { definition: LoadedTemplate["definition"]; told: Set<string> },
): Promise<Check[]> {
  const { key, accessibility, archivable } = definition;
  const name = `print ${language}`;
  try {
    const { sessionId } = await client.openSession(project, language);
    const { content, errors } = await client.report({ sessionId, templateKey: key });
    const rules = [
      ...(accessibility ? [{ standard: "access", findings: checkAccessibility(content) }] : []),
      ...(archivable ? [{ standard: "archive", findings: checkArchive(content) }] : []),
    ];
    return [
      { name, ok: true, detail: `${content.length} bytes` },
      ...errors
        .filter(({ id }) => id !== unknownName)
        .map(({ message }): Check => ({ name, ok: true, detail: message, hint: true })),
      ...errors
        .filter(({ id, message }) => id === unknownName && told.size !== told.add(message).size)
        .map(({ message, additionalInformation: { problem } }) => ({
          name: "names",
          ok: false,
          detail: typeof problem === "string" ? problem : message,
        })),
      ...rules.flatMap(({ standard, findings }) => ruleChecks(`${standard} ${language}`, findings)),
    ];
  } catch (error) {
    return [{ name, ok: false, detail: errorMessage(error) }];
  }
}

import { type Static, Type } from "@slipway/sdk";
import { TemplateStates } from "../api/answers.js";
import { printable } from "../system/terminal-text.js";
import { describeProblem } from "../templates/templates.js";
import { didYouMean } from "./did-you-mean.js";
import { serverData } from "./feeds.js";
import { answerReader, type HostClient } from "./host-client.js";

const readList = answerReader(TemplateStates);

/** The states of a host's templates and stores. */
export async function templateList(host: HostClient): Promise<TemplateStates> {
  return readList(await host.json("/api/templates"));
}

/** The error for an unknown template, with a suggestion. */
export async function unknownTemplate(host: HostClient, name: string): Promise<Error> {
  const { templates } = await templateList(host);
  const names = templates.flatMap(({ key, aliases }) => [key, ...aliases]);
  return new Error(`There is no template "${name}".${didYouMean(name, names)}`);
}

const Problems = Type.Array(
  Type.Object({
    file: Type.String(),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
    pointer: Type.Optional(Type.String()),
    message: Type.String(),
  }),
);
const Standing = Type.Object({
  key: Type.String(),
  folder: Type.String(),
  problems: Problems,
  notes: Problems,
});
const readStates = answerReader(Type.Object({ templates: Type.Array(Standing) }));
const readEvent = answerReader(
  Type.Object({ ...Standing.properties, state: Type.Enum(["served", "refused", "removed", "failed"]) }),
  "event",
);

/**
 * Reports unusable templates and when they are usable again, mistakes that do not keep them from being served, and
 * failed reports, one line each, while the host responds.
 */
export async function tellProblems(client: HostClient, tell: (line: string) => void): Promise<void> {
  /** The last report by folder. */
  const told = new Map<string, { problems: string; notes: string; failure: string }>();
  const nothing = { problems: "", notes: "", failure: "" };
  const notice = ({ key, folder, ...standing }: Static<typeof Standing>): void => {
    const before = told.get(folder) ?? nothing;
    const problems = linesOf(key, standing.problems);
    const notes = linesOf(key, standing.notes);
    told.set(folder, { ...nothing, problems, notes });
    if (problems !== before.problems)
      tell(problems === "" ? printable(`${key}: can be used again`) : problems);
    if (notes !== before.notes && notes !== "") tell(notes);
  };
  const noticeFailure = ({ key, folder, problems }: Static<typeof Standing>): void => {
    const before = told.get(folder) ?? nothing;
    const failure = linesOf(key, problems);
    told.set(folder, { ...before, failure });
    if (failure !== before.failure) tell(failure);
  };
  // Connects to the events first, so that none is missed.
  const { body } = await client.request("/api/templates/events");
  const { templates } = readStates(await client.json("/api/templates"));
  for (const template of templates) notice(template);
  for await (const data of serverData(body)) {
    const event = readEvent(data);
    if (event.state === "removed") told.delete(event.folder);
    else if (event.state === "failed") noticeFailure(event);
    else notice(event);
  }
}

function linesOf(key: string, problems: Static<typeof Problems>): string {
  return problems
    .map((problem) => printable(`${key}: ${describeProblem({ line: undefined, ...problem })}`))
    .join("\n");
}

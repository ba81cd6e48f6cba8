/** What has to be true of every answer. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AbortingError, Type, Validator } from "@slipway/sdk";
import { repository, type StartedHost } from "../../start-host.js";
import type { Asked } from "./every-route-asked.js";
import type { RequestDescription, Route } from "./every-route-document.js";
import { type Answer, ask, bytesOf } from "./every-route-socket.js";

const checkError = new Validator().compile(
  Type.Object(AbortingError.properties, { additionalProperties: false }),
  "error",
);
const checkViolations = new Validator().compile(
  Type.Object({
    violations: Type.Array(
      Type.Object({ path: Type.String(), expected: Type.String(), received: Type.String() }),
    ),
  }),
  "additionalInformation",
);
/** Places in programs, and the names of mistakes in them. */
const inside =
  /\n?\s+at [^\n]*\.[cm]?[jt]s:\d+|node_modules|\bhost\/dist\b|(?:Range|Type|Syntax|Reference)Error|\bE(?:NOENT|MFILE|ACCES|ISDIR|NOTDIR|NAMETOOLONG)\b/;
/** Longer than the longest deadline of a route. */
const patience = 90_000;

const mostShown = 20;

export class Checks {
  private constructor(
    private readonly host: StartedHost,
    private readonly description: RequestDescription,
    private readonly secrets: readonly string[],
    private readonly ofPlugins: ReadonlyMap<string, ReadonlySet<string>>,
  ) {}

  /** Checks for the answers of a host, which shall never tell the secrets. */
  static async of(
    host: StartedHost,
    description: RequestDescription,
    secrets: readonly string[],
  ): Promise<Checks> {
    const tags = new Set(
      description.routes.filter(({ isOfPlugin }) => isOfPlugin).flatMap(({ operation }) => operation.tags),
    );
    const ofPlugins = await Promise.all(
      [...tags].map(async (tag): Promise<[string, Set<string>]> => [tag, await documentedErrors(tag)]),
    );
    return new Checks(host, description, [repository, host.var, ...secrets], new Map(ofPlugins));
  }

  /** Asks them all, some at a time; what is wrong with the answers. */
  async faults(questions: readonly Asked[], atATime = 8): Promise<string[]> {
    const found: string[] = [];
    const queue = questions.values();
    const worker = async (): Promise<void> => {
      for (const question of queue) {
        const answer = await ask(this.host.url, question, patience).catch((error: Error) => error);
        const fault = answer instanceof Error ? answer.message : this.fault(question, answer);
        if (fault !== undefined) found.push(`${fault}: ${shown(question)} -> ${shownAnswer(answer)}`);
      }
    };
    await Promise.all(Array.from({ length: atATime }, worker));
    return found.length > mostShown
      ? [...found.slice(0, mostShown), `and ${found.length - mostShown} more`]
      : found;
  }

  private fault(question: Asked, answer: Answer | undefined): string | undefined {
    if (answer === undefined) return question.mayClose ? undefined : "no answer";
    const { status, headers, text } = answer;
    if (status >= 500 || status < 200) return `status ${status}`;
    if (!/^[A-Za-z0-9._:-]{1,100}$/.test(headers.get("x-request-id") ?? "")) return "no request id";
    const everything = `${text}\n${[...headers].flat().join("\n")}`;
    if (this.secrets.some((secret) => everything.includes(secret))) return "a secret or a path of the server";
    if (headers.has("x-injected")) return "a header of the client's own";
    if (question.only !== undefined && !question.only.includes(status)) return "another status";
    const fault = status < 400 ? this.successFault(question, answer) : this.errorFault(question, answer);
    return fault ?? (question.wrongAt === undefined ? undefined : wrongPlaces(question.wrongAt, answer));
  }

  private successFault({ route, method }: Asked, { status, headers, text }: Answer): string | undefined {
    if (route === undefined || method === "HEAD" || status === 304) return undefined;
    const { operation } = route;
    if (!operation.successes.includes(status)) return "a success that is not declared";
    const [mediaType = ""] = (headers.get("content-type") ?? "").split(";");
    if (status === 204) return text === "" ? undefined : "a body where there is none";
    if (!operation.mediaTypes.includes(mediaType))
      return `the media type "${mediaType}", which is not declared`;
    if (mediaType !== "application/json") return undefined;
    const mistakes = this.description.answers.mistakes(operation, status, mediaType, JSON.parse(text));
    return mistakes === undefined ? undefined : `not as declared (${JSON.stringify(mistakes).slice(0, 300)})`;
  }

  private errorFault(question: Asked, { status, headers, text }: Answer): string | undefined {
    if (question.method === "HEAD") return undefined;
    if (inside.test(text)) return "something from inside";
    if (!headers.get("content-type")?.startsWith("application/json")) return "no JSON";
    const error = checkError(parsed(text));
    if (!error.ok) return `no error object (${JSON.stringify(error.violations)})`;
    if (error.value.code !== status) return "another code than its status";
    if (error.value.type !== error.value.id.split("-")[0]) return "another type than its id says";
    const { route, also = [] } = question;
    if (route === undefined || also.includes(status) || hasLongHead(question, status)) return undefined;
    return this.isDeclared(route, status, error.value.id)
      ? undefined
      : `${status} ${error.value.id} is not declared`;
  }

  private isDeclared(route: Route, status: number, id: string): boolean {
    if (this.description.errorIds(route, status)?.includes(id)) return true;
    const [tag = ""] = route.operation.tags;
    return route.isOfPlugin && (this.ofPlugins.get(tag)?.has(`${status} ${id}`) ?? false);
  }
}

/** Node refuses those before anybody knows whom they are for. */
function hasLongHead(question: Asked, status: number): boolean {
  return status === 431 && Buffer.from(bytesOf(question)).indexOf("\r\n\r\n") > 15_000;
}

/** The errors that a plugin's page names, as status and id; the statuses are on the page of all errors. */
async function documentedErrors(tag: string): Promise<Set<string>> {
  const page = await readFile(join(repository, "plugins", tag.toLowerCase(), "README.md"), "utf8");
  const sentence = /^Requests can end with [^.]*/m.exec(page)?.[0];
  if (sentence === undefined) throw new Error(`The page of ${tag} does not name the errors of its requests`);
  const named = new Set([...sentence.matchAll(/`([a-z-]+)`/g)].map(([, id]) => id));
  const all = await readFile(join(repository, "host", "errors", "README.md"), "utf8");
  const rows = [...all.matchAll(/^\| `([a-z-]+)` \| ([\d, ]+) \|/gm)];
  return new Set(
    rows.flatMap(([, id, statuses = ""]) =>
      named.has(id) ? statuses.split(",").map((status) => `${status.trim()} ${id}`) : [],
    ),
  );
}

function wrongPlaces(place: string, { status, text }: Answer): string | undefined {
  if (status !== 400) return `no 400 for what is wrong at ${place}`;
  const error = checkError(parsed(text));
  const found = error.ok ? checkViolations(error.value.additionalInformation) : error;
  if (!found.ok || !("violations" in found.value) || found.value.violations.length === 0)
    return "no violations";
  const others = found.value.violations.filter(
    ({ path }) => path !== place && !path.startsWith(`${place}.`) && !path.startsWith(`${place}[`),
  );
  return others.length === 0 ? undefined : `another place than ${place}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shown(question: Asked): string {
  const head = question.bytes ?? bytesOf(question);
  return JSON.stringify(Buffer.from(head).subarray(0, 1200).toString("latin1"));
}

function shownAnswer(answer: Answer | undefined | Error): string {
  return answer === undefined || answer instanceof Error
    ? "nothing"
    : `${answer.status} ${answer.text.slice(0, 400)}`;
}

/** Reports mistakes to authors that do not keep a template from being served. Not for production: reports take longer. */
import type { TemplateProblem } from "../template-problem.js";
import { parserMessage } from "../template-syntax.js";
import { dataShape, hasMember, memberShape, type Shape, unknownMember } from "./data-shape.js";
import { readCode, type TemplateCode, withLines } from "./template-code.js";
import { type TemplateNames, unknownNames } from "./template-names.js";

/** What the review has to know of a template. */
export interface ReviewedTemplate extends Pick<TemplateNames, "globals" | "isStrict" | "roots"> {
  /** Paths of all files, without ".ejs". */
  files: readonly string[];
  /** Paths of those from shared folders. */
  shared: readonly string[];
  /** Keys of the options. */
  options: readonly string[];
}

/** Where the code is; undefined outside of it. */
type Place = Pick<TemplateProblem, "file" | "line">;

const mostNotes = 100;

/** The review of one version of a template: `read` takes its files, then `finish` says what is wrong with their names. */
export class TemplateReview {
  /** Problems that do not keep the template from being served. */
  notes: readonly TemplateProblem[] = [];
  private readonly code = new Map<string, TemplateCode>();
  private readonly data: Shape;
  private readonly unread: TemplateProblem[] = [];
  /** File, line and name of each note. */
  private readonly noted = new Set<string>();

  constructor(private readonly template: ReviewedTemplate) {
    this.data = dataShape(template.options);
  }

  /**
   * Takes the code of a file with the line of each of its lines; returns it so that the current line is exact, or as it
   * is where it cannot be read.
   */
  read(file: string, code: string, lines: readonly number[]): string {
    try {
      const read = readCode(code, lines);
      this.code.set(file, read);
      return withLines(read);
    } catch (error) {
      this.unread.push({ file: `${file}.ejs`, line: undefined, message: unreadable(error) });
      return code;
    }
  }

  /** Looks for unknown names once all files have been read. */
  finish(): void {
    this.notes = [...this.unread, ...this.unknownNames()];
  }

  private unknownNames(): TemplateProblem[] {
    const { files, shared, ...context } = this.template;
    try {
      const found = unknownNames({
        ...context,
        files: this.code,
        paths: files,
        shared: new Set(shared),
        data: this.data,
      });
      return found.map(({ file, mistake: { line, message, name } }) => {
        this.noted.add(keyOf({ file: `${file}.ejs`, line }, name));
        return { file: `${file}.ejs`, line, message };
      });
    } catch (error) {
      return [{ file: "report.ejs", line: undefined, message: unreadable(error) }];
    }
  }

  /**
   * The data of a report, frozen. Reads of members that it cannot have are added to `notes`, unless the review has reported
   * them already. The data of another plugin than the reporter is anything.
   */
  watch(data: unknown, place: () => Place | undefined, notes: TemplateProblem[]): unknown {
    const noted = new Set<string>();
    const isReport =
      typeof data === "object" && data !== null && "project" in data && "items" in data && "totals" in data;
    const shape = isReport ? this.data : { ...this.data, isOpen: true, members: new Map() };
    return watched(data, shape, "d.data", (name, message) => {
      const at = place();
      if (at === undefined || notes.length >= mostNotes) return;
      const key = keyOf(at, name);
      if (noted.has(key) || this.noted.has(key)) return;
      noted.add(key);
      notes.push({ file: at.file, line: at.line, message });
    });
  }
}

/** The message for code that is newer, or nested deeper, than the review can read. Rethrows other errors. */
function unreadable(error: unknown): string {
  if (error instanceof SyntaxError) return `its names cannot be checked: ${parserMessage(error)}`;
  if (error instanceof RangeError) return "its names cannot be checked: the code is nested too deep";
  throw error;
}

function keyOf({ file, line }: Place, name: string | undefined): string {
  return `${file}:${line}:${name}`;
}

/** Called with the name and a message for each read of a member that the data cannot have. */
type TellUnknown = (name: string, message: string) => void;

/** Members that JavaScript itself asks any value for. */
const askedByLanguage = new Set(["toJSON", "then"]);

/** Parsed JSON, frozen. Reports reads of members that its shape does not have; their values stay undefined. */
function watched(value: unknown, shape: Shape | undefined, path: string, tell: TellUnknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const isFitting = shape === undefined || Array.isArray(value) === (shape.kind === Array.prototype);
  const known = isFitting ? shape : undefined;
  const inside = (name: string): Shape | undefined => known && memberShape(known, name);
  const copy = Array.isArray(value)
    ? value.map((element: unknown, index) => watched(element, known?.element, `${path}[${index}]`, tell))
    : Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          watched(member, inside(name), `${path}.${name}`, tell),
        ]),
      );
  Object.freeze(copy);
  if (known === undefined) return copy;
  return new Proxy(copy, {
    get(target, name) {
      if (typeof name === "string" && !hasMember(known, name) && !askedByLanguage.has(name))
        tell(name, unknownMember(name, known, path));
      return Reflect.get(target, name);
    },
  });
}

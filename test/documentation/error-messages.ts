/**
 * The messages of all errors, read from the sources: of each object with `id` and `message`, and of each call of a function
 * that gets the message of such an object as a parameter. What a message inserts is shown as "{name}".
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { repository } from "../start-host.js";
import { sourcesBelow } from "./sources.js";

/** One message that clients can get. */
export interface ErrorMessage {
  id: string;
  /** Undefined for a suppressed error, and where the code is not beside the id. */
  status: string | undefined;
  text: string;
}

/** A function that makes an error with the message that it is given. */
interface Maker extends Omit<ErrorMessage, "text"> {
  file: string;
  name: string;
  /** Index of the parameter. */
  parameter: number;
  /** The message with "{}" in the place of the parameter's text. */
  frames: readonly string[];
}

/** Owners of the texts that a text error is about: its id is the only one that code puts together. */
const textOwners = ["item", "project"];

/** Objects of these files describe errors, and are none. */
const definitions = [
  "sdk/schema/errors.ts",
  "sdk/schema/validation.ts",
  "host/security/audit/audit-entry.ts",
  "host/web/",
];

/** All messages in the sources below folders of the repository, by id. */
export function errorMessages(folders: readonly string[]): ErrorMessage[] {
  const files = folders
    .flatMap(sourcesBelow)
    .filter((file) => !definitions.some((each) => file.startsWith(each)))
    .map((file) => parsed(file));
  const found: ErrorMessage[] = [];
  const makers: Maker[] = [];
  for (const source of files) visit(source, (node) => readError(node, source, found, makers));
  for (const source of files) visit(source, (node) => readCall(node, source, found, makers));
  const keys = new Map(found.map((each) => [JSON.stringify(each), each]));
  return [...keys.values()].sort((one, other) => compare(one.id, other.id) || compare(one.text, other.text));
}

/**
 * The reasons in the sources below folders: the texts that are a parameter, by its index, of `new Rejection` or of other
 * calls with these names; sorted.
 */
export function reasons(folders: readonly string[], names: readonly string[], parameter: number): string[] {
  const found = new Set<string>();
  for (const file of folders.flatMap(sourcesBelow))
    visit(parsed(file), (node) => {
      if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return;
      const argument = node.arguments?.[parameter];
      if (!ts.isIdentifier(node.expression) || !names.includes(node.expression.text)) return;
      for (const text of argument === undefined ? [] : textsOf(argument))
        if (!/^(?:\{[\w…]*\})+$/u.test(text)) found.add(text);
    });
  return [...found].sort(compare);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(
    file,
    readFileSync(join(repository, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
}

function visit(node: ts.Node, take: (node: ts.Node) => void): void {
  take(node);
  ts.forEachChild(node, (child) => visit(child, take));
}

function readError(node: ts.Node, source: ts.SourceFile, found: ErrorMessage[], makers: Maker[]): void {
  if (!ts.isObjectLiteralExpression(node)) return;
  const [id] = valuesOf(node, "id");
  if (id === undefined || !/^(?:[a-z]+|\{\w+\})(?:-[a-z]+)+$/.test(id)) return;
  const [status] = valuesOf(node, "code");
  const about = { id, status: status?.replace(/^\{.*\}$/, "") || undefined };
  const maker = makerOf(node);
  const texts = valuesOf(node, "message");
  const ids = id.startsWith("{")
    ? textOwners.map((owner) => `${owner}${id.slice(id.indexOf("}") + 1)}`)
    : [id];
  if (maker === undefined)
    for (const each of ids) for (const text of texts) found.push({ ...about, id: each, text });
  else makers.push({ ...about, ...maker, file: source.fileName, frames: texts });
}

/** The calls of a maker, or of `badRequest`, whose messages begin with its first value. */
function readCall(node: ts.Node, source: ts.SourceFile, found: ErrorMessage[], makers: Maker[]): void {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
  const { text: name } = node.expression;
  const [first] = node.arguments;
  if (name === "badRequest" && first !== undefined) {
    const about = { id: "request-bad-request", status: "400" };
    const isWhole = ts.isObjectLiteralExpression(first);
    for (const text of isWhole ? valuesOf(first, "message") : textsOf(first))
      if (text !== "{what}") found.push({ ...about, text: isWhole ? text : `${text}: {mistakes}.` });
  }
  for (const maker of makers) {
    const argument = node.arguments[maker.parameter];
    if (maker.name !== name || argument === undefined || !isOf(maker, source, name)) continue;
    const { id, status, frames } = maker;
    for (const text of textsOf(argument))
      for (const frame of frames) found.push({ id, status, text: frame.replace("{}", text) });
  }
}

/** Whether a name of a source is the maker: its own, or imported from there. */
function isOf({ file }: Maker, source: ts.SourceFile, name: string): boolean {
  if (file === source.fileName) return true;
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    if (!bindings.elements.some((each) => each.name.text === name)) continue;
    const from = statement.moduleSpecifier.text;
    if (from.startsWith("@slipway/sdk")) return file.startsWith("sdk/");
    return (
      join(dirname(source.fileName), from.replace(/\.js$/, ".ts")) === file &&
      existsSync(join(repository, file))
    );
  }
  return false;
}

/** The function around an object whose message is, or has, a parameter of this function called `message` or `what`. */
function makerOf(object: ts.ObjectLiteralExpression): Pick<Maker, "name" | "parameter"> | undefined {
  const used = valuesOf(object, "message").some((text) => text.includes("{}"));
  if (!used) return undefined;
  for (let node: ts.Node = object; node.parent !== undefined; node = node.parent) {
    if (!ts.isFunctionDeclaration(node) || node.name === undefined) continue;
    const parameter = node.parameters.findIndex((each) => isMessage(each.name));
    return parameter < 0 ? undefined : { name: node.name.text, parameter };
  }
  return undefined;
}

const isMessage = (name: ts.Node): boolean =>
  ts.isIdentifier(name) && ["message", "what", "reason", "detail", "problem"].includes(name.text);

/** The possible texts of a member of an object. */
function valuesOf(object: ts.ObjectLiteralExpression, member: string): string[] {
  for (const property of object.properties) {
    if (property.name === undefined || !ts.isIdentifier(property.name)) continue;
    if (property.name.text !== member) continue;
    if (ts.isPropertyAssignment(property)) return textsOf(property.initializer);
    if (ts.isShorthandPropertyAssignment(property)) return textsOf(property.name);
  }
  return [];
}

/** The possible texts of an expression. */
function textsOf(expression: ts.Expression): string[] {
  if (ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression)) return [expression.text];
  if (ts.isParenthesizedExpression(expression)) return textsOf(expression.expression);
  if (ts.isConditionalExpression(expression))
    return [...textsOf(expression.whenTrue), ...textsOf(expression.whenFalse)];
  if (ts.isTemplateExpression(expression)) {
    const parts = expression.templateSpans.map(({ expression: inserted, literal }) => [
      isParameter(inserted) ? "{}" : shownName(inserted),
      literal.text,
    ]);
    return [[expression.head.text, ...parts.flat()].join("")];
  }
  if (ts.isIdentifier(expression)) {
    if (isParameter(expression)) return ["{}"];
    const value = declared(expression);
    if (value !== undefined) return textsOf(value);
  }
  return [shownName(expression)];
}

/** Whether an expression is a parameter of the function around it that stands for a message. */
function isParameter(expression: ts.Expression): boolean {
  if (!ts.isIdentifier(expression) || !isMessage(expression)) return false;
  for (let node: ts.Node = expression; node.parent !== undefined; node = node.parent)
    if (ts.isFunctionDeclaration(node))
      return node.parameters.some(({ name }) => ts.isIdentifier(name) && name.text === expression.text);
  return false;
}

/** The value of a constant that is declared in a block around an expression. */
function declared(name: ts.Identifier): ts.Expression | undefined {
  for (let node: ts.Node = name; node.parent !== undefined; node = node.parent) {
    const { parent } = node;
    if (!ts.isBlock(parent) && !ts.isSourceFile(parent)) continue;
    for (const statement of parent.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name: own, initializer } of statement.declarationList.declarations)
        if (ts.isIdentifier(own) && own.text === name.text) return initializer;
    }
  }
  return undefined;
}

function shownName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return `{${expression.text}}`;
  if (ts.isPropertyAccessExpression(expression)) return `{${expression.name.text}}`;
  if (ts.isCallExpression(expression)) {
    const [first] = expression.arguments;
    return first === undefined ? shownName(expression.expression) : shownName(first);
  }
  return "{…}";
}

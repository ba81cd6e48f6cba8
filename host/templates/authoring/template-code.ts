/** The syntax of the code that EJS generates from a template file. */
import { type AnyNode, type Identifier, type Program, parse } from "acorn";
import { childrenOf, parserOptions } from "../template-syntax.js";

export type { AnyNode, Program };
export { childrenOf };

/** The code of a template file, read. */
export interface TemplateCode {
  code: string;
  program: Program;
  /** The line in the file of each line of the code. */
  lines: readonly number[];
}

/** Reads code that V8 has compiled as the body of a function. Throws a `SyntaxError` for syntax newer than the parser. */
export function readCode(code: string, lines: readonly number[]): TemplateCode {
  const program = parse(code, { ...parserOptions, locations: true });
  return { code, program, lines };
}

/** The line in the file. */
export function lineOf({ lines }: TemplateCode, node: AnyNode): number | undefined {
  const line = node.loc?.start.line;
  return line === undefined ? undefined : lines[line - 1];
}

/** The names that a declaration or parameter declares. */
export function boundNames(pattern: AnyNode): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((each) =>
        boundNames(each.type === "Property" ? each.value : each.argument),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((each) => (each === null ? [] : boundNames(each)));
    case "AssignmentPattern":
      return boundNames(pattern.left);
    case "RestElement":
      return boundNames(pattern.argument);
    default:
      return [];
  }
}

/** Names that statements of a block declare for all of it. */
export function blockNames(statements: readonly AnyNode[]): string[] {
  return statements.flatMap((statement) => {
    if (statement.type === "VariableDeclaration" && statement.kind !== "var")
      return statement.declarations.flatMap(({ id }) => boundNames(id));
    if (statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration")
      return nameOf(statement.id);
    return [];
  });
}

function nameOf(id: Identifier | null | undefined): string[] {
  return id ? [id.name] : [];
}

/** Names that `var` declares anywhere in a function. */
export function functionNames(node: AnyNode): string[] {
  const own =
    node.type === "VariableDeclaration" && node.kind === "var"
      ? node.declarations.flatMap(({ id }) => boundNames(id))
      : [];
  const inner = childrenOf(node).filter((child) => !isFunction(child));
  return [...own, ...inner.flatMap(functionNames)];
}

/** Whether a node is a function with parameters and a body; the methods of objects and classes hold one. */
export function isFunction(node: AnyNode) {
  const { type } = node;
  return (
    type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression"
  );
}

/**
 * The code with its current line before each statement and in each function that is an expression, so that the place of
 * an error or an endless loop is exact, also within a tag of several lines. Each round of a loop calls `looped`.
 */
export function withLines(template: TemplateCode): string {
  const { code, program } = template;
  const insertions: { at: number; text: string }[] = [];
  const mark = (statements: readonly AnyNode[]): void => {
    for (const statement of statements) {
      const isDirective = statement.type === "ExpressionStatement" && statement.directive !== undefined;
      const isMark = code.startsWith("__line = ", statement.start) || statement.type === "EmptyStatement";
      if (!isDirective && !isMark)
        insertions.push({ at: statement.start, text: `__line = ${lineOf(template, statement)}; ` });
    }
  };
  const visit = (node: AnyNode): void => {
    if (node.type === "Program" || node.type === "BlockStatement" || node.type === "StaticBlock")
      mark(node.body);
    if (node.type === "SwitchCase") mark(node.consequent);
    const body = loopBody(node);
    if (body?.type === "BlockStatement") insertions.push({ at: body.start + 1, text: " looped();" });
    else if (body !== undefined)
      insertions.push(
        { at: body.start, text: `{ looped(); __line = ${lineOf(template, body)}; ` },
        { at: body.end, text: " }" },
      );
    if (node.type === "ArrowFunctionExpression" && node.body.type !== "BlockStatement") {
      const { start, end } = node.body;
      insertions.push(
        { at: start, text: `(__line = ${lineOf(template, node.body)}, ` },
        { at: end, text: ")" },
      );
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  let result = "";
  let from = 0;
  for (const { at, text } of insertions.sort((one, other) => one.at - other.at)) {
    result += code.slice(from, at) + text;
    from = at;
  }
  return result + code.slice(from);
}

function loopBody(node: AnyNode): AnyNode | undefined {
  switch (node.type) {
    case "ForStatement":
    case "ForOfStatement":
    case "ForInStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return node.body;
    default:
      return undefined;
  }
}

/** The syntax of the code of template files, and what of it the strict check lets through. */
import {
  type AnyNode,
  type Comment,
  type Options,
  type Program,
  parse,
  type Token,
  tokenizer,
  tokTypes,
} from "acorn";

/** Code that the parser has read. */
export interface Syntax {
  /** All nodes, in no particular order. */
  nodes: readonly AnyNode[];
  comments: readonly Comment[];
}

/** Something wrong at an offset of the code. */
export interface SyntaxMistake {
  offset: number | undefined;
  message: string;
}

/** Code is read as what it becomes: the body of a function in strict mode. */
export const parserOptions: Options = {
  ecmaVersion: "latest",
  sourceType: "commonjs",
  strict: true,
  allowHashBang: false,
};

/** Everything else is refused, also what a later version of the parser knows. */
const allowedTypes: ReadonlySet<AnyNode["type"]> = new Set<AnyNode["type"]>([
  "Program",
  "BlockStatement",
  "EmptyStatement",
  "ExpressionStatement",
  "LabeledStatement",
  "IfStatement",
  "SwitchStatement",
  "SwitchCase",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
  "BreakStatement",
  "ContinueStatement",
  "ReturnStatement",
  "ThrowStatement",
  "TryStatement",
  "CatchClause",
  "VariableDeclaration",
  "VariableDeclarator",
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "YieldExpression",
  "AwaitExpression",
  "ClassDeclaration",
  "ClassExpression",
  "ClassBody",
  "MethodDefinition",
  "PropertyDefinition",
  "StaticBlock",
  "Identifier",
  "PrivateIdentifier",
  "Literal",
  "TemplateLiteral",
  "TemplateElement",
  "TaggedTemplateExpression",
  "ThisExpression",
  "Super",
  "ArrayExpression",
  "ObjectExpression",
  "Property",
  "SpreadElement",
  "RestElement",
  "ArrayPattern",
  "ObjectPattern",
  "AssignmentPattern",
  "AssignmentExpression",
  "UnaryExpression",
  "UpdateExpression",
  "BinaryExpression",
  "LogicalExpression",
  "ConditionalExpression",
  "SequenceExpression",
  "CallExpression",
  "NewExpression",
  "MemberExpression",
  "ChainExpression",
  "MetaProperty",
]);

const allowedDeclarations: ReadonlySet<string> = new Set(["var", "let", "const"]);

const noImport = "import is refused: a template loads no code";

const refusals: ReadonlyMap<AnyNode["type"], string> = new Map<AnyNode["type"], string>([
  ["ImportExpression", noImport],
  ["DebuggerStatement", "debugger is refused"],
]);

/** What the parser reads, or where it stops. */
export function readSyntax(code: string): Syntax | SyntaxMistake {
  const comments: Comment[] = [];
  try {
    return { nodes: nodesOf(parse(code, { ...parserOptions, onComment: comments })), comments };
  } catch (error) {
    if (error instanceof RangeError) return { offset: undefined, message: "the code is nested too deep" };
    if (!(error instanceof SyntaxError)) throw error;
    const offset = "pos" in error && typeof error.pos === "number" ? error.pos : undefined;
    return { offset, message: parserMessage(error) };
  }
}

/** The mistake in the body of a function with these parameters, if the parser finds one. */
export function mistakeInBody(code: string, parameters: readonly string[]): SyntaxMistake | undefined {
  const alone = readSyntax(code);
  if ("message" in alone) return alone;
  const head = `function template(${parameters.join(", ")}) {\n`;
  const inside = readSyntax(`${head}${code}\n}`);
  if (!("message" in inside)) return undefined;
  const { offset, message } = inside;
  return { offset: offset === undefined ? undefined : offset - head.length, message };
}

/** The message of the parser without the place in the code, which it appends. */
export function parserMessage(error: SyntaxError): string {
  const { message } = error;
  const loc: unknown = "loc" in error ? error.loc : undefined;
  if (typeof loc !== "object" || loc === null || !("line" in loc && "column" in loc)) return message;
  const place = ` (${loc.line}:${loc.column})`;
  return message.endsWith(place) ? message.slice(0, -place.length) : message;
}

/** The syntax of code that the strict check lets through, or what it refuses. */
export function readAllowedSyntax(code: string): Syntax | SyntaxMistake {
  const syntax = readSyntax(code);
  return "message" in syntax
    ? (unknownImport(code, syntax.offset) ?? syntax)
    : (refusedSyntax(code, syntax) ?? syntax);
}

/** An import that the parser does not read: the keyword is where it stops, or one of the last words before that. */
function unknownImport(code: string, stopped: number | undefined): SyntaxMistake | undefined {
  const tokens: Token[] = [];
  try {
    parse(code, { ...parserOptions, onToken: tokens });
  } catch {
    // It stops where it did before.
  }
  const last = tokens.slice(-4).findLast(({ type }, index, all) => {
    const before = all[index - 1]?.type;
    return type === tokTypes._import && before !== tokTypes.dot && before !== tokTypes.questionDot;
  });
  const offset = last?.start ?? (isImportAt(code, stopped) ? stopped : undefined);
  return offset === undefined ? undefined : { offset, message: noImport };
}

function isImportAt(code: string, offset: number | undefined): boolean {
  if (offset === undefined || !code.startsWith("import", offset)) return false;
  const word = code.slice(offset, offset + "import".length + 1);
  return tokenizer(word, parserOptions).getToken().type === tokTypes._import;
}

/** The first syntax of a program that is not on the list. */
function refusedSyntax(code: string, { nodes, comments }: Syntax): SyntaxMistake | undefined {
  const found: { offset: number; message: string }[] = comments
    .filter(({ start }) => !code.startsWith("//", start) && !code.startsWith("/*", start))
    .map(({ start }) => ({ offset: start, message: "comments of HTML are refused in code" }));
  for (const node of nodes) {
    const message = refusal(node);
    if (message !== undefined) found.push({ offset: node.start, message });
  }
  return found.sort((one, other) => one.offset - other.offset)[0];
}

function refusal(node: AnyNode): string | undefined {
  if (!allowedTypes.has(node.type)) return refusals.get(node.type) ?? `${node.type} is refused`;
  switch (node.type) {
    case "MetaProperty": {
      const name = `${node.meta.name}.${node.property.name}`;
      return name === "new.target" ? undefined : `${name} is refused`;
    }
    case "VariableDeclaration":
      return allowedDeclarations.has(node.kind) ? undefined : `${node.kind} is refused`;
    case "CallExpression": {
      const { callee } = node;
      const isEval = callee.type === "Identifier" && callee.name === "eval";
      return isEval ? "eval is refused: a template runs no code in texts" : undefined;
    }
    default:
      return undefined;
  }
}

/** All nodes of a program; does not call itself, because code can be nested deep. */
function nodesOf(program: Program): AnyNode[] {
  const nodes: AnyNode[] = [program];
  // The list grows while it is read.
  for (const node of nodes) for (const child of childrenOf(node)) nodes.push(child);
  return nodes;
}

/** The nodes in a node, in the order of the code. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  const values: unknown[] = Object.values(node);
  for (const value of values) {
    if (Array.isArray(value)) {
      for (const element of value) if (isNode(element)) children.push(element);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The regular expressions in the sources: literals, texts that `RegExp` is made of, and patterns of JSON schemas. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repository } from "../start-host.js";

export interface Expression {
  source: string;
  flags: string;
  /** Such as "host/system/addresses.ts:65". */
  places: string[];
}

export interface FoundExpressions {
  expressions: Expression[];
  /** Files with an expression that is made while the program runs, of what no source says; one entry for each. */
  unknown: string[];
}

const folders = ["host", "sdk", "plugins", "templates", "config"];
const isSource = (name: string): boolean =>
  /\.(?:tsx?|m?js|ejs)$/.test(name) && !/(?:^|\/)(?:dist|node_modules)\/|\.d\.ts$/.test(name);

/** Methods of texts that make an expression of a text. */
const makers = new Set(["match", "matchAll", "search"]);

export function expressionsOfSources(): FoundExpressions {
  const files = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter(isSource)
      .map((name) => `${folder}/${name}`),
  );
  const sources = files.map((file) => parsed(file, readFileSync(join(repository, file), "utf8")));
  const constants = new Constants(sources);
  const found = new Map<string, Expression>();
  const unknown: string[] = [];
  for (const source of sources) {
    for (const { node, pattern, flags } of expressionsIn(source)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const place = `${source.fileName}:${line + 1}`;
      const text = typeof pattern === "string" ? pattern : constants.text(pattern, source);
      if (text === undefined) unknown.push(source.fileName);
      else add(found, { source: text, flags, places: [place] });
    }
  }
  return { expressions: [...found.values()], unknown };
}

function add(found: Map<string, Expression>, expression: Expression): void {
  const key = `/${expression.source}/${expression.flags}`;
  const known = found.get(key);
  if (known === undefined) found.set(key, expression);
  else known.places.push(...expression.places);
}

/** Of an EJS template only its code, in the lines where it stands. */
function parsed(file: string, text: string): ts.SourceFile {
  const isTemplate = file.endsWith(".ejs");
  const code = isTemplate
    ? text.replace(/(^|%>)([\s\S]*?)(<%[-=_#]?|$)/g, (outside) => outside.replace(/[^\n]/g, ";"))
    : text;
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : isTemplate ? ts.ScriptKind.JS : undefined;
  return ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, kind);
}

interface Found {
  node: ts.Node;
  /** The expression itself, or what its text is computed by. */
  pattern: string | ts.Expression;
  flags: string;
}

function expressionsIn(source: ts.SourceFile): Found[] {
  const found: Found[] = [];
  const look = (node: ts.Node): void => {
    const pattern = patternOf(node);
    if (pattern !== undefined) found.push({ node, ...pattern });
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

function patternOf(node: ts.Node): Omit<Found, "node"> | undefined {
  if (ts.isRegularExpressionLiteral(node)) return literal(node);
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
    const [first, second] = node.arguments ?? [];
    if (first === undefined || ts.isRegularExpressionLiteral(first)) return undefined;
    const flags = second !== undefined && ts.isStringLiteral(second) ? second.text : "";
    if (ts.isIdentifier(node.expression) && node.expression.text === "RegExp")
      return { pattern: first, flags };
    const { expression: called } = node;
    const isMaker = ts.isPropertyAccessExpression(called) && makers.has(called.name.text);
    return isMaker && ts.isStringLiteralLike(first) ? { pattern: first, flags: "" } : undefined;
  }
  // Ajv gives patterns of schemas the flag "u".
  const isPattern = ts.isPropertyAssignment(node) && node.name.getText() === "pattern" && isOfSchema(node);
  return isPattern && !ts.isRegularExpressionLiteral(node.initializer)
    ? { pattern: node.initializer, flags: "u" }
    : undefined;
}

/** Options of a type, as in `Type.String({ pattern })`. */
function isOfSchema({ parent: { parent } }: ts.PropertyAssignment): boolean {
  return ts.isCallExpression(parent) && parent.expression.getText().startsWith("Type.");
}

function literal({ text }: ts.RegularExpressionLiteral): { pattern: string; flags: string } {
  const end = text.lastIndexOf("/");
  return { pattern: text.slice(1, end), flags: text.slice(end + 1) };
}

/** Texts that sources compute of constants. */
class Constants {
  /** By name; undefined where two files have a constant of that name. */
  private readonly everywhere = new Map<string, ts.VariableDeclaration | undefined>();
  private readonly byFile = new Map<ts.SourceFile, Map<string, ts.VariableDeclaration>>();

  constructor(sources: readonly ts.SourceFile[]) {
    for (const source of sources) {
      const own = new Map<string, ts.VariableDeclaration>();
      for (const statement of source.statements) {
        if (!ts.isVariableStatement(statement)) continue;
        for (const declaration of statement.declarationList.declarations) {
          const name = declaration.name.getText(source);
          own.set(name, declaration);
          this.everywhere.set(name, this.everywhere.has(name) ? undefined : declaration);
        }
      }
      this.byFile.set(source, own);
    }
  }

  /** Undefined where it takes more than constants. */
  text(node: ts.Expression, source: ts.SourceFile): string | undefined {
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
    if (ts.isRegularExpressionLiteral(node)) return literal(node).pattern;
    if (ts.isIdentifier(node)) return this.named(node.text, source);
    if (ts.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(({ expression, literal }) => {
        const text = this.text(expression, source);
        return text === undefined ? undefined : text + literal.text;
      });
      return parts.includes(undefined) ? undefined : node.head.text + parts.join("");
    }
    if (ts.isPropertyAccessExpression(node) && node.name.text === "source")
      return this.text(node.expression, source);
    if (ts.isCallExpression(node) && node.getText(source).endsWith(".slice(1, -1)"))
      return ts.isPropertyAccessExpression(node.expression)
        ? this.text(node.expression.expression, source)?.slice(1, -1)
        : undefined;
    return undefined;
  }

  private named(name: string, source: ts.SourceFile): string | undefined {
    const declaration = this.byFile.get(source)?.get(name) ?? this.everywhere.get(name);
    return declaration?.initializer === undefined
      ? undefined
      : this.text(declaration.initializer, declaration.getSourceFile());
  }
}

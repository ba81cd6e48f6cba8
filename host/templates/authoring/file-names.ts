/** The names that one template file uses: those that nothing has, and what it hands to the files that it includes. */
import { similarName } from "@slipway/sdk";
import { hasMember, memberShape, type Shape, unknownMember, unknownName } from "./data-shape.js";
import {
  beginningOf,
  callbacks,
  elementMethods,
  isNothing,
  listMethods,
  memberName,
  plainText,
  refusal,
} from "./expressions.js";
import { optionalNames } from "./optional-names.js";
import { Scope } from "./scope.js";
import {
  type AnyNode,
  blockNames,
  boundNames,
  childrenOf,
  functionNames,
  isFunction,
  lineOf,
  type TemplateCode,
} from "./template-code.js";

/** A mistake and its line. */
export interface NameMistake {
  line: number | undefined;
  message: string;
  /** The unknown member or variable. */
  name?: string;
}

/** A call of `include`. */
export interface Inclusion {
  /** Without ".ejs"; undefined where it is computed. */
  target: string | undefined;
  /** How a computed path begins. */
  beginning: string;
  line: number | undefined;
  /** The members of `d` that it adds. */
  added: ReadonlyMap<string, Shape | undefined>;
  /** Whether it may add others. */
  isOpen: boolean;
}

/** What the code of a file says of names. */
export interface NamesOfFile {
  mistakes: NameMistake[];
  inclusions: Inclusion[];
}

/** What a file can name. */
export interface NameContext {
  /** The shape of `d`. */
  locals: Shape;
  /** Names that are everywhere, such as Math. */
  globals: ReadonlySet<string>;
  /** Whether the current time and random numbers are refused. */
  isStrict: boolean;
  /** Whether `d` may lack what the file tests before it uses it. */
  hasOptionalNames: boolean;
}

/** Variables of the function around the code of each file. */
const ownVariables = ["d", "include", "escapeFn", "rethrow", "exceeded", "began", "looped"];
const internals = ["__line", "__output", "__append", "arguments"];

/** Finds unknown names by following the shapes of the data through the code, as far as they can be known. */
export function namesOfFile(template: TemplateCode, context: NameContext): NamesOfFile {
  return new FileNames(template, context).result;
}

class FileNames {
  readonly result: NamesOfFile = { mistakes: [], inclusions: [] };
  private readonly outer = new Scope(undefined, [...ownVariables, ...internals]);
  private readonly optional: ReadonlySet<string>;

  constructor(
    private readonly template: TemplateCode,
    private readonly context: NameContext,
  ) {
    const { program } = template;
    this.optional = context.hasOptionalNames ? optionalNames(program) : new Set();
    this.outer.declare("d", context.locals);
    const names = [...blockNames(program.body), ...functionNames(program)];
    this.evaluateAll(program.body, new Scope(this.outer, names));
  }

  private report(node: AnyNode, message: string, name?: string): void {
    const line = lineOf(this.template, node);
    const { mistakes } = this.result;
    if (!mistakes.some((known) => known.line === line && known.message === message))
      mistakes.push({ line, message, ...(name !== undefined && { name }) });
  }

  private evaluateAll(nodes: readonly (AnyNode | null | undefined)[], scope: Scope): undefined {
    for (const node of nodes) if (node) this.evaluate(node, scope);
  }

  /** Checks the names of a node; returns the shape of its value where that is known. */
  private evaluate(node: AnyNode, scope: Scope): Shape | undefined {
    if (isFunction(node)) return this.function(node, scope, []);
    switch (node.type) {
      case "Identifier":
        return this.name(node, node.name, scope);
      case "MemberExpression":
        return this.member(node, scope);
      case "ChainExpression":
        return this.evaluate(node.expression, scope);
      case "CallExpression":
        return this.call(node, scope);
      case "NewExpression":
        this.refuse(node, scope);
        return this.evaluateAll(childrenOf(node), scope);
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        return this.evaluateAll([node.computed ? node.key : undefined, node.value], scope);
      case "VariableDeclaration":
        for (const { id, init } of node.declarations) {
          const shape = init ? this.evaluate(init, scope) : undefined;
          this.bind(id, node.kind === "const" ? shape : undefined, scope, init ?? undefined);
        }
        return undefined;
      case "ConditionalExpression": {
        this.evaluate(node.test, scope);
        const [one, other] = [this.evaluate(node.consequent, scope), this.evaluate(node.alternate, scope)];
        return one === other ? one : undefined;
      }
      case "LogicalExpression": {
        const [left, right] = [this.evaluate(node.left, scope), this.evaluate(node.right, scope)];
        if (node.operator === "&&") return right;
        return left === right || isNothing(node.right) ? left : undefined;
      }
      case "UnaryExpression":
        // `typeof` of a name that is not there is no error.
        if (node.operator === "typeof" && node.argument.type === "Identifier") return undefined;
        return this.evaluateAll([node.argument], scope);
      case "LabeledStatement":
        return this.evaluateAll([node.body], scope);
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
        return undefined;
      default:
        return this.block(node, scope);
    }
  }

  /** Statements with variables of their own, and everything else. */
  private block(node: AnyNode, scope: Scope): undefined {
    switch (node.type) {
      case "BlockStatement":
      case "StaticBlock":
        return this.evaluateAll(node.body, new Scope(scope, blockNames(node.body)));
      case "SwitchStatement": {
        const inner = new Scope(scope, blockNames(node.cases.flatMap(({ consequent }) => consequent)));
        return this.evaluateAll([node.discriminant, ...node.cases], inner);
      }
      case "CatchClause":
        return this.evaluateAll([node.body], new Scope(scope, node.param ? boundNames(node.param) : []));
      case "ForStatement":
        return this.evaluateAll(
          [node.init, node.test, node.update, node.body],
          new Scope(scope, node.init ? blockNames([node.init]) : []),
        );
      case "ForOfStatement":
      case "ForInStatement": {
        const inner = new Scope(scope, blockNames([node.left]));
        const values = this.evaluate(node.right, inner);
        const element = node.type === "ForOfStatement" ? values?.element : undefined;
        if (node.left.type !== "VariableDeclaration") this.evaluate(node.left, inner);
        else
          for (const { id } of node.left.declarations)
            this.bind(id, node.left.kind === "const" ? element : undefined, inner);
        return this.evaluateAll([node.body], inner);
      }
      case "ClassDeclaration":
      case "ClassExpression":
        return this.evaluateAll(
          [node.superClass, node.body],
          new Scope(scope, node.id ? [node.id.name] : []),
        );
      default:
        return this.evaluateAll(childrenOf(node), scope);
    }
  }

  /** `parameters` are the shapes of the first ones. */
  private function(node: AnyNode, scope: Scope, parameters: readonly (Shape | undefined)[]): undefined {
    if (
      node.type !== "FunctionDeclaration" &&
      node.type !== "FunctionExpression" &&
      node.type !== "ArrowFunctionExpression"
    )
      return undefined;
    const own = node.params.flatMap(boundNames);
    const named = node.type === "FunctionExpression" && node.id ? [node.id.name] : [];
    const inner = new Scope(scope, [...named, ...own, ...functionNames(node.body)]);
    for (const [index, parameter] of node.params.entries()) this.bind(parameter, parameters[index], inner);
    return this.evaluateAll([node.body], inner);
  }

  /** Gives variables the shapes of what they are taken from, and checks the members that they are taken from. */
  private bind(pattern: AnyNode, shape: Shape | undefined, scope: Scope, source?: AnyNode): undefined {
    switch (pattern.type) {
      case "Identifier":
        scope.owner(pattern.name)?.declare(pattern.name, shape);
        return undefined;
      case "AssignmentPattern":
        this.evaluate(pattern.right, scope);
        return this.bind(pattern.left, isNothing(pattern.right) ? shape : undefined, scope);
      case "ArrayPattern":
        for (const element of pattern.elements) if (element) this.bind(element, shape?.element, scope);
        return undefined;
      case "ObjectPattern":
        for (const property of pattern.properties) {
          if (property.type === "RestElement") continue;
          const { key } = property;
          if (property.computed) this.evaluate(key, scope);
          const name = !property.computed && key.type === "Identifier" ? key.name : undefined;
          this.bind(property.value, this.memberOf(shape, name, key, source), scope);
        }
        return undefined;
      default:
        return this.evaluateAll([pattern], scope);
    }
  }

  private name(node: AnyNode, name: string, scope: Scope): Shape | undefined {
    const owner = scope.owner(name);
    if (owner !== undefined) return owner.shape(name);
    if (!this.context.globals.has(name)) this.report(node, unknownName(name, this.meant(name, scope)), name);
    return undefined;
  }

  /** What an unknown variable may stand for: a member of `d` or of the data, or a misspelt name. */
  private meant(name: string, scope: Scope): string | undefined {
    const { locals, globals } = this.context;
    const data = locals.members.get("data");
    const inside = ["options", "project"].map((each): [string, Shape | undefined] => [
      `d.data.${each}`,
      data?.members.get(each),
    ]);
    const places: [string, Shape | undefined][] = [["d", locals], ["d.data", data], ...inside];
    const exact = places.find(([, shape]) => shape?.members.has(name));
    if (exact) return `${exact[0]}.${name}`;
    const variables = scope.names().filter((each) => !internals.includes(each));
    const similar = similarName(name, [...variables, ...globals]);
    if (similar !== undefined) return similar;
    for (const [place, shape] of places) {
      const member = similarName(name, shape?.members.keys() ?? []);
      if (member !== undefined) return `${place}.${member}`;
    }
    return undefined;
  }

  private member(node: Extract<AnyNode, { type: "MemberExpression" }>, scope: Scope): Shape | undefined {
    return this.memberIn(this.evaluate(node.object, scope), node, scope);
  }

  private memberIn(
    owner: Shape | undefined,
    node: Extract<AnyNode, { type: "MemberExpression" }>,
    scope: Scope,
  ): Shape | undefined {
    if (node.computed) this.evaluate(node.property, scope);
    const name = memberName(node);
    if (name === undefined) return node.computed ? owner?.element : undefined;
    return this.memberOf(owner, name, node.property, node.object);
  }

  private memberOf(
    owner: Shape | undefined,
    name: string | undefined,
    node: AnyNode,
    object: AnyNode | undefined,
  ): Shape | undefined {
    if (owner === undefined || name === undefined) return undefined;
    if (hasMember(owner, name)) return memberShape(owner, name);
    if (owner === this.context.locals && this.optional.has(name)) return undefined;
    const place = object && this.template.code.slice(object.start, object.end).replace(/\s+/g, "");
    this.report(node, unknownMember(name, owner, place), name);
    return undefined;
  }

  private call(node: Extract<AnyNode, { type: "CallExpression" }>, scope: Scope): Shape | undefined {
    const { callee } = node;
    const parameters = node.arguments;
    this.refuse(node, scope);
    if (callee.type === "Identifier" && callee.name === "include" && scope.owner("include") === this.outer) {
      this.evaluateAll(parameters.slice(0, 1), scope);
      this.include(node, parameters[0], parameters[1], scope);
      return undefined;
    }
    if (callee.type !== "MemberExpression") return this.evaluateAll([callee, ...parameters], scope);
    const owner = this.evaluate(callee.object, scope);
    this.memberIn(owner, callee, scope);
    const method = memberName(callee);
    if (owner?.element === undefined || method === undefined) return this.evaluateAll(parameters, scope);
    const elements = Array<Shape | undefined>(callbacks.get(method) ?? 0).fill(owner.element);
    for (const [index, parameter] of parameters.entries()) {
      if (index === 0 && isFunction(parameter)) this.function(parameter, scope, elements);
      else this.evaluate(parameter, scope);
    }
    return elementMethods.has(method) ? owner.element : listMethods.has(method) ? owner : undefined;
  }

  private refuse(node: Parameters<typeof refusal>[0], scope: Scope): void {
    const message = this.context.isStrict
      ? refusal(node, (name) => scope.owner(name) === undefined)
      : undefined;
    if (message !== undefined) this.report(node, message);
  }

  private include(node: AnyNode, path: AnyNode | undefined, more: AnyNode | undefined, scope: Scope): void {
    const added = new Map<string, Shape | undefined>();
    let isOpen = more !== undefined && more.type !== "ObjectExpression";
    if (more?.type !== "ObjectExpression") this.evaluateAll([more], scope);
    else
      for (const property of more.properties) {
        const key = property.type === "Property" && !property.computed ? property.key : undefined;
        if (property.type === "Property" && key !== undefined) {
          const shape = this.evaluate(property.value, scope);
          if (key.type === "Identifier") added.set(key.name, shape);
          else if (key.type === "Literal") added.set(String(key.value), shape);
        } else {
          isOpen = true;
          this.evaluate(property, scope);
        }
      }
    const target = path ? plainText(path)?.replace(/\.ejs$/, "") : undefined;
    const beginning = path ? beginningOf(path) : "";
    this.result.inclusions.push({ target, beginning, line: lineOf(this.template, node), added, isOpen });
  }
}

/** What can be known of an expression without running it. */
import { noChance, noTime } from "../refused-calls.js";
import type { AnyNode } from "./template-code.js";

type Call = Extract<AnyNode, { type: "CallExpression" | "NewExpression" }>;

/** Methods of lists whose callback gets elements as its first parameters, by their number. */
export const callbacks: ReadonlyMap<string, number> = new Map([
  ...["map", "flatMap", "filter", "forEach", "find", "findLast", "findIndex", "some", "every"].map(
    (name): [string, number] => [name, 1],
  ),
  ["sort", 2],
  ["toSorted", 2],
]);
/** Methods of lists that give an element. */
export const elementMethods = new Set(["find", "findLast", "at", "pop", "shift"]);
/** Methods of lists that give a list of the same elements. */
export const listMethods = new Set(["filter", "slice", "sort", "toSorted", "reverse", "toReversed"]);

/** The text that an expression always is. */
export function plainText(node: AnyNode): string | undefined {
  if (node.type === "Literal") return String(node.value);
  if (node.type === "TemplateLiteral" && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** The known part of a computed text: "partials/" of `"partials/" + name`. */
export function beginningOf(node: AnyNode): string {
  if (node.type === "BinaryExpression" && node.operator === "+") return beginningOf(node.left);
  if (node.type === "TemplateLiteral") return node.quasis[0]?.value.cooked ?? "";
  return plainText(node) ?? "";
}

/** An empty list or object, in place of one that is missing. */
export function isNothing(node: AnyNode): boolean {
  return (
    (node.type === "ArrayExpression" && node.elements.length === 0) ||
    (node.type === "ObjectExpression" && node.properties.length === 0)
  );
}

/** The name of a member that is written as such. */
export function memberName(node: AnyNode): string | undefined {
  if (node.type !== "MemberExpression") return undefined;
  const { computed, property } = node;
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : undefined;
}

/** Why the strict check refuses a call, if it does. `isGlobal`: whether a name is not a variable of the template. */
export function refusal(node: Call, isGlobal: (name: string) => boolean): string | undefined {
  const { callee } = node;
  const nameOf = (each: AnyNode) =>
    each.type === "Identifier" && isGlobal(each.name) ? each.name : undefined;
  const isFunction = node.type === "CallExpression";
  if (nameOf(callee) === "Date" && (isFunction || node.arguments.length === 0))
    return noTime(isFunction ? "Date()" : "new Date()");
  const object = callee.type === "MemberExpression" ? nameOf(callee.object) : undefined;
  if (object === "Date" && memberName(callee) === "now") return noTime("Date.now()");
  return object === "Math" && memberName(callee) === "random" ? noChance : undefined;
}

import { type AnyNode, childrenOf } from "./template-code.js";

/**
 * The members of `d` that code tests before it uses them, as in `d.note ?? ""` or `if (d.note)`: parameters of a shared
 * file that need not be given.
 */
export function optionalNames(program: AnyNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visitAll = (nodes: readonly (AnyNode | null | undefined)[], isTested: boolean): undefined => {
    for (const node of nodes) if (node) visit(node, isTested);
  };
  const visit = (node: AnyNode, isTested: boolean): undefined => {
    switch (node.type) {
      case "IfStatement":
      case "ConditionalExpression":
        visit(node.test, true);
        return visitAll([node.consequent, node.alternate], isTested && node.type === "ConditionalExpression");
      case "LogicalExpression":
        visit(node.left, true);
        return visit(node.right, isTested);
      case "UnaryExpression":
        return visit(node.argument, true);
      case "BinaryExpression":
        return visitAll([node.left, node.right], true);
      case "ChainExpression":
        return visit(node.expression, isTested);
      case "MemberExpression":
        if (isTested && isMemberOfD(node) && node.property.type === "Identifier")
          names.add(node.property.name);
        visit(node.object, node.optional);
        return visitAll([node.computed ? node.property : undefined], false);
      case "CallExpression":
        visit(node.callee, false);
        // Handed on as it is, to a file that tests it.
        for (const parameter of node.arguments)
          if (parameter.type === "ObjectExpression" && isInclude(node.callee))
            visitAll(
              parameter.properties.map((each) => (each.type === "Property" ? each.value : each)),
              true,
            );
          else visit(parameter, false);
        return undefined;
      case "VariableDeclarator":
        if (node.init?.type === "Identifier" && node.init.name === "d" && node.id.type === "ObjectPattern")
          for (const property of node.id.properties)
            if (property.type === "Property" && property.value.type === "AssignmentPattern")
              if (property.key.type === "Identifier") names.add(property.key.name);
        return visitAll([node.id, node.init], false);
      default:
        return visitAll(childrenOf(node), false);
    }
  };
  visit(program, false);
  return names;
}

function isInclude(callee: AnyNode): boolean {
  return callee.type === "Identifier" && callee.name === "include";
}

function isMemberOfD(node: Extract<AnyNode, { type: "MemberExpression" }>): boolean {
  return !node.computed && node.object.type === "Identifier" && node.object.name === "d";
}

import { SchemaNode } from "./schema-node.js";

/**
 * Takes out of a value the members that are null although their schema allows no null and they may be left out: serializers
 * of other languages write null for what is absent. Null stays where the schema allows it, where no schema says anything, as an
 * element of a list, and where the member is required. Where several forms of a union may be meant, it stays if one of
 * them allows it. Takes time by the size of the value, whatever its depth.
 */
export function nullMembersRemoved(schema: object): (value: unknown) => void {
  const root = SchemaNode.of(schema);
  return (value) => {
    if (root !== undefined && isContainer(value)) removeNulls(value, root);
  };
}

function removeNulls(top: object, root: SchemaNode): void {
  const pending: [value: object, nodes: readonly SchemaNode[]][] = [[top, [root]]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value] = next;
    const nodes = [...allFor(value, next[1])];
    if (nodes.length === 0) continue;
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        const inner = isContainer(element) ? nodes.flatMap((node) => node.item(index) ?? []) : [];
        if (isContainer(element) && inner.length > 0) pending.push([element, inner]);
      }
      continue;
    }
    for (const name of Object.keys(value)) {
      const member: unknown = Reflect.get(value, name);
      if (member === null && isAbsent(name, nodes)) Reflect.deleteProperty(value, name);
      const inner = isContainer(member) ? nodes.flatMap((node) => node.member(name)) : [];
      if (isContainer(member) && inner.length > 0) pending.push([member, inner]);
    }
  }
}

/** The schemas with all that they refer to, and of unions the forms that the value may have. */
function allFor(value: object, nodes: readonly SchemaNode[]): Set<SchemaNode> {
  const found = new Set<SchemaNode>(nodes);
  // The set grows while it is gone through.
  for (const node of found) {
    for (const each of node.all()) found.add(each);
    for (const forms of node.unions()) for (const form of forms) if (form.mayFit(value)) found.add(form);
  }
  return found;
}

/** Whether null means that the member is not there. */
function isAbsent(name: string, nodes: readonly SchemaNode[]): boolean {
  const declaring = nodes.filter((node) => node.member(name).length > 0);
  const isAllowed = declaring.some((node) => node.member(name).some((each) => each.allowsNull()));
  if (declaring.length === 0 || isAllowed) return false;
  const asking = nodes.filter((node) => node.asksFor(name));
  return asking.every((node) => declaring.includes(node)) && asking.length < declaring.length;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

import { hasMember, memberShape, type Shape, unknownMember } from "./data-shape.js";

/** Called with the name and a message for each read of a member that the data cannot have. */
export type TellUnknown = (name: string, message: string) => void;

/** Members that JavaScript itself asks any value for. */
const askedByLanguage = new Set(["toJSON", "then"]);

/** Parsed JSON, frozen, that tells of reads of members that its shape does not have; they are undefined as ever. */
export function watchedData(data: unknown, shape: Shape, tell: TellUnknown): unknown {
  return watched(data, shape, "d.data", tell);
}

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

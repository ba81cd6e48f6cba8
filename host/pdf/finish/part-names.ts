/** What the objects of an attachment are called in the common file, where the report and others have names too. */
import { isKind, type PdfObject } from "@slipway/sdk/runtime/pdf";
import type { AttachedPart, DocumentPart } from "./document-part.js";
import { nextKey } from "./structure-tree.js";

/** Gives for a name in the attachment the one in the common file. */
export interface PartNames {
  /** Of a destination that is a name. */
  destinationName(name: string): string;
  /** Of a destination that is a string. */
  destinationString(name: string): string;
  /** Of an element of the structure tree. */
  id(id: string): string;
  role(name: string): string;
  className(name: string): string;
  /** Of an entry of the tree of parents; undefined without an entry of that number. */
  parentKey(key: number): number | undefined;
}

/** The names of all parts. */
export class CommonNames {
  private readonly destinationNames: TakenNames;
  private readonly destinationStrings: TakenNames;
  private readonly ids: TakenNames;
  private readonly classes: TakenNames;
  private readonly roles: Map<string, PdfObject>;
  private nextParentKey: number;

  constructor(report: DocumentPart) {
    const { destinations, tree } = report;
    this.destinationNames = new TakenNames(destinations.names.keys());
    this.destinationStrings = new TakenNames(destinations.strings.keys());
    this.ids = new TakenNames(tree?.ids.keys() ?? []);
    this.classes = new TakenNames(tree?.classes.keys() ?? []);
    this.roles = new Map(tree?.roles ?? []);
    this.nextParentKey = nextKey(tree?.parents.keys() ?? []);
  }

  /** Names for an attachment, which are taken from now on. */
  of(part: AttachedPart): PartNames {
    const parentKeys = new Map<number, number>();
    for (const key of part.tree?.parents.keys() ?? []) parentKeys.set(key, this.nextParentKey++);
    const roles = this.rolesOf(part.tree?.roles ?? new Map());
    const classOf = this.classes.ofAttachment();
    return {
      destinationName: this.destinationNames.ofAttachment(),
      destinationString: this.destinationStrings.ofAttachment(),
      id: this.ids.ofAttachment(),
      role: (name) => roles.get(name) ?? name,
      className: (name) => (part.tree?.classes.has(name) === true ? classOf(name) : name),
      parentKey: (key) => parentKeys.get(key),
    };
  }

  /** A role that means the same in all parts keeps its name. */
  private rolesOf(roles: Map<string, PdfObject>): Map<string, string> {
    const renamed = new Map<string, string>();
    for (const [role, target] of roles) {
      let now = role;
      const differs = (): boolean => this.roles.has(now) && !sameName(this.roles.get(now), target);
      for (let number = 2; differs(); number++) now = `${role}-${number}`;
      this.roles.set(now, target);
      renamed.set(role, now);
    }
    return renamed;
  }
}

function sameName(one: PdfObject | undefined, other: PdfObject): boolean {
  return isKind(one, "name") && isKind(other, "name") && one.name === other.name;
}

/** The part with the names that it has from now on in its lists; its objects are renamed elsewhere. */
export function renamedPart<Part extends DocumentPart>(part: Part, names: PartNames): Part {
  const { tree, destinations } = part;
  return {
    ...part,
    destinations: {
      names: withKeys(destinations.names, names.destinationName),
      strings: withKeys(destinations.strings, names.destinationString),
    },
    tree: tree && {
      ...tree,
      parents: new Map([...tree.parents].map(([key, value]) => [names.parentKey(key) ?? key, value])),
      ids: withKeys(tree.ids, names.id),
      roles: new Map([...tree.roles].map(([role, target]) => [names.role(role), renamedRole(target, names)])),
      classes: withKeys(tree.classes, names.className),
    },
  };
}

function withKeys(entries: Map<string, PdfObject>, name: (name: string) => string): Map<string, PdfObject> {
  return new Map([...entries].map(([key, value]) => [name(key), value]));
}

function renamedRole(target: PdfObject, names: PartNames): PdfObject {
  return isKind(target, "name") ? { kind: "name", name: names.role(target.name) } : target;
}

/** Names that may be used only once in the common file. */
class TakenNames {
  private readonly taken: Set<string>;

  /** `taken` are those of the report, which keep their names. */
  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken);
  }

  /** For one attachment: gives each of its names the one that it has from now on, the same each time. */
  ofAttachment(): (name: string) => string {
    const given = new Map<string, string>();
    return (name) => {
      let now = given.get(name);
      if (now !== undefined) return now;
      now = name;
      for (let number = 2; this.taken.has(now); number++) now = `${name}-${number}`;
      this.taken.add(now);
      given.set(name, now);
      return now;
    };
  }
}

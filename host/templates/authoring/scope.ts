import type { Shape } from "./data-shape.js";

/** The variables of a block or function, with the shapes of their values where they are known. */
export class Scope {
  private readonly shapes = new Map<string, Shape | undefined>();

  constructor(
    private readonly parent: Scope | undefined,
    names: readonly string[],
  ) {
    for (const name of names) this.shapes.set(name, undefined);
  }

  /** Gives a variable of this scope a shape. */
  declare(name: string, shape: Shape | undefined): void {
    this.shapes.set(name, shape);
  }

  /** The scope that has the name. */
  owner(name: string): Scope | undefined {
    return this.shapes.has(name) ? this : this.parent?.owner(name);
  }

  /** The shape of a variable that can be seen here. */
  shape(name: string): Shape | undefined {
    return this.owner(name)?.shapes.get(name);
  }

  /** All variables that can be seen here. */
  names(): string[] {
    return [...this.shapes.keys(), ...(this.parent?.names() ?? [])];
  }
}

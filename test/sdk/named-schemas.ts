/** Schemas by their names: the compiler writes each one out wherever another contains it. */

/** A schema with fewer characters than this is as clear as its name. */
const shortest = 40;

/**
 * Puts `typeof Name` where a report repeats the type of another exported schema, so that it has every member once, and a
 * change of one shows as one change.
 */
export function namedSchemas(report: string): string {
  const blocks = report.split("\n\n");
  const schemas = blocks.flatMap((block) => {
    const [, name, type] = /^export const (\w+): (Type\.[\s\S]*);$/m.exec(block) ?? [];
    return name === undefined || type === undefined || type.length < shortest ? [] : [{ name, type }];
  });
  // Larger ones first: what is inside of them has its turn at their own place.
  schemas.sort((left, right) => right.type.length - left.type.length);
  const patterns = schemas.map(({ name, type }) => ({ name, pattern: anywhere(type) }));
  return blocks
    .map((block) => {
      const own = /^export const (\w+): Type\./m.exec(block)?.[1];
      const others = patterns.filter(({ name }) => name !== own);
      return others.reduce((text, { name, pattern }) => text.replace(pattern, `typeof ${name}`), block);
    })
    .join("\n\n");
}

/** Finds the type at any indentation. */
function anywhere(type: string): RegExp {
  const lines = type.split("\n").map((line) => line.trim().replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`(?<![\\w.])${lines.join("\\n *")}`, "g");
}

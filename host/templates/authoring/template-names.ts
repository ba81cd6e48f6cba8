/** Names in the files of a template that nothing has, in code that runs and in code that does not. */
import { basename, dirname, join } from "node:path/posix";
import { similarName } from "@slipway/sdk";
import { objectShape, type Shape } from "./data-shape.js";
import { type NameContext, type NameMistake, type NamesOfFile, namesOfFile } from "./file-names.js";
import type { TemplateCode } from "./template-code.js";

/** Further mistakes are not reported: one wrong name may be everywhere. */
const mostMistakes = 100;

/** The files of a template and what they can name. */
export interface TemplateNames extends Pick<NameContext, "globals" | "isStrict"> {
  /** The code of the files that could be read, by path without ".ejs". */
  files: ReadonlyMap<string, TemplateCode>;
  /** All files. */
  paths: readonly string[];
  /** The files that are not included by others, with the names that `d` has in them. */
  roots: ReadonlyMap<string, readonly string[]>;
  /** Files of shared folders: other templates may give them other parameters. */
  shared: ReadonlySet<string>;
  /** The shape of `d.data`. */
  data: Shape;
}

/** What `d` has in a file, from all files that include it. */
interface Locals {
  names: Map<string, Shape | undefined>;
  isOpen: boolean;
}

/** The mistakes of all files, by path without ".ejs". */
export function unknownNames(template: TemplateNames): { file: string; mistake: NameMistake }[] {
  const locals = new Map<string, Locals>();
  for (const [file, names] of template.roots)
    locals.set(file, {
      names: new Map<string, Shape | undefined>(names.map((name) => [name, undefined])).set(
        "data",
        template.data,
      ),
      isOpen: false,
    });
  // A file that could not be read may give anything to others.
  const isIncomplete = template.paths.some((path) => !template.files.has(path));
  const found = new Map<string, NamesOfFile>();
  /** Files that are included by their names. */
  const named = new Set<string>();
  const due = new Set([...locals.keys()].filter((file) => template.files.has(file)));
  for (const file of due) {
    due.delete(file);
    const code = template.files.get(file);
    const own = locals.get(file);
    if (code === undefined || own === undefined) continue;
    const names = namesOfFile(code, contextOf(template, file, own));
    found.set(file, names);
    for (const { target, beginning, added, isOpen } of names.inclusions) {
      if (target !== undefined) named.add(target);
      const targets = target === undefined ? [...template.files.keys()] : [target];
      for (const each of targets) {
        if (target === undefined && (template.roots.has(each) || !each.startsWith(beginning))) continue;
        const known = locals.get(each) ?? { names: new Map(), isOpen: false };
        const isNew = !locals.has(each);
        locals.set(each, known);
        const given: Locals = {
          names: new Map([...own.names, ...added]),
          isOpen: own.isOpen || isOpen || isIncomplete || (target === undefined && !named.has(each)),
        };
        if (merge(known, given) || isNew) due.add(each);
      }
    }
  }
  for (const [file, code] of template.files)
    if (!found.has(file))
      found.set(
        file,
        namesOfFile(
          code,
          contextOf(template, file, { names: new Map([["data", template.data]]), isOpen: true }),
        ),
      );
  return mistakesOf(template, found).slice(0, mostMistakes);
}

function contextOf(template: TemplateNames, file: string, { names, isOpen }: Locals): NameContext {
  const { globals, isStrict, shared } = template;
  const locals = { ...objectShape(names), isOpen };
  return { locals, globals, isStrict, hasOptionalNames: shared.has(file) };
}

/** Adds what another file gives; returns whether that changed anything. */
function merge(known: Locals, given: Locals): boolean {
  let hasChanged = given.isOpen && !known.isOpen;
  known.isOpen ||= given.isOpen;
  for (const [name, shape] of given.names) {
    if (!known.names.has(name)) known.names.set(name, shape);
    else if (known.names.get(name) !== shape && known.names.get(name) !== undefined)
      known.names.set(name, undefined);
    else continue;
    hasChanged = true;
  }
  return hasChanged;
}

function mistakesOf(
  { paths }: TemplateNames,
  found: ReadonlyMap<string, NamesOfFile>,
): { file: string; mistake: NameMistake }[] {
  return [...found].flatMap(([file, { mistakes, inclusions }]) => {
    const missing = inclusions.flatMap(({ target, line }): NameMistake[] => {
      if (target === undefined || paths.includes(target)) return [];
      const beside = paths.filter((path) => dirname(path) === dirname(target)).map((path) => basename(path));
      const similar = similarName(basename(target), beside);
      const help = similar === undefined ? "" : ` (did you mean ${join(dirname(target), similar)}.ejs?)`;
      return [{ line, message: `include: the template has no file "${target}.ejs"${help}` }];
    });
    return [...mistakes, ...missing]
      .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
      .map((mistake) => ({ file, mistake }));
  });
}

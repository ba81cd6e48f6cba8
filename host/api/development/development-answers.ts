import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { SessionId, type Static, SuppressedError, Type } from "@slipway/sdk";
import { PluginState } from "../../plugins/plugin-state.js";

/** A place in a source of the plugin. */
export const SourcePlace = Type.Object({
  file: Type.String({ description: 'Below the folder of the plugin, such as "src/index.ts".' }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  excerpt: Type.Optional(Type.String({ description: "The current text of the line." })),
});
export type SourcePlace = Static<typeof SourcePlace>;

const longestExcerpt = 200;

/**
 * The first position in a stack or message that is in the author's own files below a folder (symbolic links resolved).
 */
export function sourcePlaceIn(text: string, folder: string): SourcePlace | undefined {
  for (const [word] of text.matchAll(/[^\s()'"]+/g)) {
    for (const [, path = "", line, column] of word.matchAll(/(.+?):(\d+):(\d+)/gy)) {
      const file = ownFile(path, folder);
      if (file === undefined) continue;
      const place = { file, line: Number(line), column: Number(column) };
      const excerpt = excerptOf(join(folder, file), place.line);
      return { ...place, ...(excerpt !== undefined && { excerpt }) };
    }
  }
  return undefined;
}

/** Stacks have absolute paths, the bundler relative ones. Excludes packages. */
function ownFile(path: string, folder: string): string | undefined {
  const named = path.replace(/^file:\/\//, "");
  const isInside = named.startsWith(folder + sep);
  const isBelow = !isInside && !/^[/\\.]|^\w+:/.test(named) && /\.\w+$/.test(named);
  if (!isInside && !isBelow) return undefined;
  const file = isInside ? relative(folder, named) : named;
  return file.split(/[/\\]/).includes("node_modules") ? undefined : file.split(sep).join("/");
}

/** Undefined when the file is gone or shorter. */
function excerptOf(file: string, line: number): string | undefined {
  try {
    return readFileSync(file, "utf8").split("\n")[line - 1]?.trimEnd().slice(0, longestExcerpt);
  } catch {
    return undefined;
  }
}

/** A log line for the author of a plugin. */
export const DevelopmentLine = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    time: Type.String({ format: "date-time", description: "UTC." }),
    kind: Type.Enum(["log", "request", "reload", "wait"], {
      description:
        "A log line or output of the plugin, a finished request, the outcome of changed files, or what keeps them from being live.",
    }),
    level: Type.Enum(["debug", "info", "warn", "error"]),
    text: Type.String(),
    requestId: Type.Optional(Type.String({ description: "Id of its request." })),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: "Further fields of the log line." }),
    stack: Type.Optional(Type.String({ description: "Of an error, with the places of its sources." })),
    place: Type.Optional(SourcePlace),
  },
  { title: "DevelopmentLine" },
);
export type DevelopmentLine = Static<typeof DevelopmentLine>;

/** State of the plugin in development. */
export const DevelopmentAnswer = Type.Object({
  directory: Type.String({ description: "Folder of its sources on this machine." }),
  place: Type.String({ description: "Its name in the drop-in folder." }),
  versions: Type.Array(PluginState),
  session: Type.Optional(SessionId),
  reload: Type.Optional(DevelopmentLine),
});
export type DevelopmentAnswer = Static<typeof DevelopmentAnswer>;

/** Lines, oldest first. */
export const DevelopmentLines = Type.Object({ lines: Type.Array(DevelopmentLine) });

/** What a service method returned. */
export const ServiceCallAnswer = Type.Object({
  value: Type.Unknown({ description: "As the output schema describes it; null for none." }),
  errors: Type.Array(SuppressedError, { description: "Suppressed errors." }),
});

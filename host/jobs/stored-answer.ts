import { type Static, Type } from "@slipway/sdk";
import { TextMediaType } from "@slipway/sdk/runtime";
import type { PluginAnswer } from "@slipway/sdk/runtime/host";

const closed = { additionalProperties: false } as const;

/** The answer to a request, kept for later. */
export const StoredAnswer = Type.Object(
  {
    status: Type.Integer(),
    headers: Type.Record(Type.String(), Type.String()),
    content: Type.Union([
      Type.Object({ kind: Type.Enum(["text"]), mediaType: TextMediaType, body: Type.String() }, closed),
      /** A generated file, by its id. */
      Type.Object({ kind: Type.Enum(["file"]), id: Type.String() }, closed),
      Type.Object({ kind: Type.Enum(["redirect"]), location: Type.String() }, closed),
    ]),
  },
  closed,
);
export type StoredAnswer = Static<typeof StoredAnswer>;

/** The stored form of a plugin's answer; of a file, only its id. */
export function storedContent(content: PluginAnswer["content"]): StoredAnswer["content"] {
  return content.kind === "file" ? { kind: "file", id: content.file.id } : content;
}

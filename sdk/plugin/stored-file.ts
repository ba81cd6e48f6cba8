import { type Static, Type } from "../schema/schema.js";

/** A generated file with a URL and a lifetime. */
export const StoredFile = Type.Object({
  id: Type.String(),
  name: Type.String({ description: "File name as offered for download." }),
  url: Type.String({ description: "Absolute URL." }),
  bytes: Type.Integer({ minimum: 0 }),
});
/**
 * A generated file: `name` as offered for download, absolute `url`, size in `bytes`. Its lifetime depends on the
 * server's configuration.
 */
export type StoredFile = Static<typeof StoredFile>;

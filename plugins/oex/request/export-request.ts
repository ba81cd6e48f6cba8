/**
 * Request body of `export` (interface document, section 4.2). Unknown members are ignored; those of `config` are
 * reported.
 */
import { builtInColumns, ImageOptionTexts, SessionId, type Static, Type } from "@slipway/sdk";
import { ExportConfiguration } from "../configuration/export-configuration.js";

/** The configuration of a request; omitted members have their defaults. */
export const RequestedConfiguration = Type.Partial(ExportConfiguration);
export type RequestedConfiguration = Static<typeof RequestedConfiguration>;

export const ExportRequest = Type.Object({
  sessionId: SessionId,
  calculationScheme: Type.String({ minLength: 1, maxLength: 200, default: "STDB2B_WBK" }),
  preferredImageColumn: Type.String({ format: "uuid", default: builtInColumns.articleImage }),
  imageOptions: ImageOptionTexts,
  config: Type.Optional(RequestedConfiguration),
});
export type ExportRequest = Static<typeof ExportRequest>;

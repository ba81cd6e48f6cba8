/** Body of `export` (interface document, section 4.2). Members that are not listed are ignored, those of `config` told of. */
import { builtInColumns, ImageOptionTexts, SessionId, type Static, Type } from "@slipway/sdk";
import { ExportConfiguration } from "../configuration/export-configuration.js";

/** What a request says of the configuration; what it leaves out has its default. */
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

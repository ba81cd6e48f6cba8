/** Features of an article (OEX reference, section 6.11). */
import type { XmlWriter } from "@slipway/sdk";
import type { Configuration } from "../../document/frames.js";
import type { OexVersion } from "../../document/oex-format.js";
import { writeOptional, writeValue, yesNo } from "../values.js";
import { writeLanguage, writeLines } from "./shared-frames.js";

export function writeConfiguration(writer: XmlWriter, feature: Configuration, version: OexVersion): void {
  if (version === "3.1") writer.open("itmConfiguration", { aIsVisible: yesNo(feature.visible) });
  else writer.open("itmConfiguration");
  writeOptional(writer, "vClassID", feature.classId);
  writeValue(writer, "vOptionID", feature.optionId);
  writeValue(writer, "vValueID", feature.valueId);
  for (const { language, option, value } of feature.texts) {
    writer.open("itmConfigText");
    writeLanguage(writer, "vTextLanguage", language);
    writeValue(writer, "vOptionText", option);
    writeLines(writer, "vValueText", value);
    writer.close();
  }
  writer.close();
}

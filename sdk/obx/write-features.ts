/** The configured properties of an article: element `features`. */
import type { Feature, Texts } from "../project/document.js";
import type { XmlWriter } from "../xml/xml-writer.js";
import type { WriteContext } from "./write-context.js";
import { flag } from "./write-flag.js";
import { writeTexts } from "./write-texts.js";

/** So many texts are remembered to be referred to: more would need memory that grows with the project. */
const rememberedTexts = 20_000;

/** Writes the features; texts that an earlier feature has are written as a reference to it. */
export function writeFeatures(writer: XmlWriter, features: readonly Feature[], context: WriteContext): void {
  if (features.length === 0) return;
  writer.open("features");
  for (const { name, value, nameText, valueText, visible } of features) {
    const id = `feature.${context.features}`;
    context.features += 1;
    const knownName = earlier(context, "nameText", nameText, id);
    const knownValue = earlier(context, "valueText", valueText, id);
    writer.open("feature", {
      name,
      value,
      flags: flag(visible),
      id,
      nameText: knownName,
      valueText: knownValue,
    });
    if (knownName === undefined) writeTexts(writer, "nameText", nameText);
    if (knownValue === undefined) writeTexts(writer, "valueText", valueText);
    if (visible) writeLines(writer, nameText, valueText);
    writer.close();
  }
  writer.close();
}

/** The id of the feature that has these texts already; else they are remembered under `id`. */
function earlier(context: WriteContext, kind: string, texts: Texts, id: string): string | undefined {
  if (texts.length === 0) return undefined;
  const key = `${kind} ${JSON.stringify(texts)}`;
  const known = context.featureTexts.get(key);
  if (known !== undefined) return known;
  if (context.featureTexts.size >= rememberedTexts) context.featureTexts.clear();
  context.featureTexts.set(key, id);
  return undefined;
}

/** The line of the variant description, in every language that has both its halves. */
function writeLines(writer: XmlWriter, nameText: Texts, valueText: Texts): void {
  for (const { lang, value } of nameText) {
    const other = valueText.find((text) => text.lang === lang);
    if (!other) continue;
    writer.open("descrText", { lang: lang === "und" ? undefined : lang });
    writer.open("descrLine");
    writer.element("descrField0", value);
    writer.element("descrField1", other.value);
    writer.close();
    writer.close();
  }
}

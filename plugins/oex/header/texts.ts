/** Texts of a document's header (OEX reference, sections 9.5, 12 and 17). */
import { chooseText, labelLanguages } from "@slipway/sdk";
import type { ExportContext } from "../context/export-context.js";
import type { OexText } from "../document/frames.js";
import { FieldRepairs } from "../repair/repairs.js";
import { oneLine, textLines } from "../repair/text-lines.js";
import { TextFrames } from "../texts/item-texts.js";
import { oexLocale } from "../texts/languages.js";
import type { Delivery } from "./delivery.js";

export type HeaderTextContext = Pick<
  ExportContext,
  "project" | "configuration" | "locale" | "repairs" | "suppress"
>;

/** The header texts. `language`: ISO 639-1 code, also for configured texts, which state no language. */
export function headerTexts(
  language: string,
  delivery: Delivery | undefined,
  context: HeaderTextContext,
): OexText[] {
  const { configuration } = context;
  const frames = new TextFrames();
  const add = (type: OexText["type"], text: string | null, code = language) =>
    frames.addLines(type, { code }, textLines(text ?? ""));
  const ofProject = configuration.useSCOrderInfo ? projectText(language, context) : undefined;
  add("HEAD", ofProject?.value ?? configuration.orderInfo, ofProject?.language);
  if (configuration.versionInOrder) add("HEAD", applicationLine(configuration), ofProject?.language);
  add("ADAG", configuration.additionalAgreement);
  add("DNOT", configuration.dispatchNotes);
  if (delivery?.kind === "text") {
    add("DCON", delivery.value);
    reportDelivery(delivery, context);
  }
  return frames.list();
}

function applicationLine({ appName, appVersion }: ExportContext["configuration"]): string {
  return oneLine(`${appName} ${appVersion.aMajor}.${appVersion.aMinor}`, Number.POSITIVE_INFINITY);
}

/** The project's header text, preferably in the document's language; undefined if there is none. */
function projectText(
  language: string,
  { project, locale, suppress }: HeaderTextContext,
): { value: string; language: string } | undefined {
  const languages = labelLanguages(project, locale);
  const { value, lang, unreadable } = chooseText(project.header.headerText, languages);
  for (const { message, text } of unreadable) {
    suppress({
      id: "project-text-error",
      message: `The text "header.headerText" of the project cannot be read and was left out in this language: ${message.replace(/\.$/, "")}.`,
      cause: [message],
      additionalInformation: { field: "header.headerText", lang: text.lang },
    });
  }
  return value === "" ? undefined : { value, language: oexLocale(lang ?? "")?.language ?? language };
}

function reportDelivery(
  { value, reason }: Delivery & { kind: "text" },
  { repairs }: HeaderTextContext,
): void {
  if (reason === undefined) return;
  new FieldRepairs(repairs, "config.").report("delivery", value, `written as a text: ${reason}`);
}

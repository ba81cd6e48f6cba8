import type { TaggedDocument } from "../accessibility/tagged-document.js";
import type { PdfFile } from "../pdf-file.js";
import { isKind, type PdfDictionary, type PdfStream } from "../pdf-object.js";
import { entry, listEntry, nameEntry, numberEntry, streamEntry } from "../pdf-values.js";
import type { ArchiveFinding } from "./archive-finding.js";

/** Number of components by the colour space in the header of an ICC profile. */
const components: Record<string, number> = { "RGB ": 3, CMYK: 4, GRAY: 1, "Lab ": 3 };
const deviceClasses = ["mntr", "prtr", "scnr", "spac"];

/** The output intents: at most one profile, readable, for monitors or printers. */
export function* checkOutputIntents({ file, catalog }: TaggedDocument): Generator<ArchiveFinding> {
  const rule = "6.2.3";
  const profiles = new Set<PdfStream>();
  for (const intent of intentsOf(file, catalog)) {
    if (intent.entries.has("DestOutputProfileRef"))
      yield { rule, message: "An output intent has its profile outside of the file." };
    const profile = streamEntry(file, intent, "DestOutputProfile");
    if (profile === undefined) continue;
    profiles.add(profile);
    const head = profileHead(file, profile);
    if (head === undefined || !/^(mntr|prtr)$/.test(head.deviceClass) || head.space === "Lab ")
      yield {
        rule,
        message: "The profile of the output intent is for no monitor and no printer of RGB, CMYK or grey.",
      };
    else if (numberEntry(file, profile.dictionary, "N") !== head.components)
      yield {
        rule,
        message: `The profile of the output intent has ${head.components} components, N says something else.`,
      };
  }
  if (profiles.size > 1) yield { rule, message: "The output intents have different profiles: expected one." };
}

/** The colour spaces of devices that the output intent gives a meaning to. */
export function deviceSpaces(file: PdfFile, catalog: PdfDictionary): Set<string> {
  const spaces = new Set<string>();
  for (const intent of intentsOf(file, catalog)) {
    const profile = streamEntry(file, intent, "DestOutputProfile");
    const head = profile && profileHead(file, profile);
    if (head === undefined) continue;
    spaces.add("DeviceGray");
    if (head.space === "RGB ") spaces.add("DeviceRGB");
    if (head.space === "CMYK") spaces.add("DeviceCMYK");
  }
  return spaces;
}

/** The header of an ICC profile; undefined for anything else. */
export function profileHead(
  file: PdfFile,
  profile: PdfStream,
): { deviceClass: string; space: string; components: number } | undefined {
  const bytes = Buffer.from(file.content(profile));
  const space = bytes.toString("latin1", 16, 20);
  const count = components[space];
  const deviceClass = bytes.toString("latin1", 12, 16);
  const isProfile = bytes.length >= 128 && bytes.toString("latin1", 36, 40) === "acsp" && (bytes[8] ?? 9) < 5;
  return isProfile && count !== undefined && deviceClasses.includes(deviceClass)
    ? { deviceClass, space, components: count }
    : undefined;
}

/** Those for PDF/A; others, such as for PDF/X, are allowed too. */
function intentsOf(file: PdfFile, catalog: PdfDictionary): PdfDictionary[] {
  if (!isKind(entry(file, catalog, "OutputIntents"), "array")) return [];
  return listEntry(file, catalog, "OutputIntents")
    .map((each) => file.dictionary(each))
    .filter((each) => each !== undefined)
    .filter((each) => nameEntry(file, each, "S") === "GTS_PDFA1");
}

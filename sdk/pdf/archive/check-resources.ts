/** Colours, graphics states, pictures, forms and fonts that pages, forms and annotations may use. */
import type { TaggedDocument } from "../accessibility/tagged-document.js";
import type { PdfFile } from "../pdf-file.js";
import { isKind, isName, type PdfDictionary, type PdfObject, type PdfStream } from "../pdf-object.js";
import { dictionaryEntry, entry, listEntry, nameEntry, nameText, numberEntry } from "../pdf-values.js";
import type { ArchiveFinding } from "./archive-finding.js";
import { checkFont } from "./check-font-dictionaries.js";
import { deviceSpaces, profileHead } from "./check-output-intents.js";

export const renderingIntents = new Set([
  "RelativeColorimetric",
  "AbsoluteColorimetric",
  "Perceptual",
  "Saturation",
]);

const blendModes = new Set(
  (
    "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference " +
    "Exclusion Hue Saturation Color Luminosity"
  ).split(" "),
);

/** Each kind of mistake once, with the first page that may use it. */
export function* checkResources({ file, catalog, pages }: TaggedDocument): Generator<ArchiveFinding> {
  const reading = new ResourceReading(file, deviceSpaces(file, catalog));
  for (const { dictionary, number } of pages) {
    reading.page = number;
    reading.resources(dictionaryEntry(file, dictionary, "Resources"));
    reading.group(dictionary);
    for (const each of listEntry(file, dictionary, "Annots")) reading.annotation(file.dictionary(each));
  }
  yield* reading.found.values();
}

const deepest = 40;

class ResourceReading {
  page = 0;
  readonly found = new Map<string, ArchiveFinding>();
  private readonly seen = new Set<PdfObject>();
  private depth = 0;

  constructor(
    private readonly file: PdfFile,
    private readonly spaces: Set<string>,
  ) {}

  resources(resources: PdfDictionary | undefined): void {
    if (resources === undefined || this.isKnown(resources)) return;
    const { file } = this;
    for (const state of this.values(resources, "ExtGState")) this.graphicsState(file.dictionary(state));
    for (const space of this.values(resources, "ColorSpace")) this.colourSpace(space);
    for (const object of this.values(resources, "XObject")) this.object(file.resolve(object));
    for (const pattern of this.values(resources, "Pattern")) this.pattern(file.resolve(pattern));
    for (const shading of this.values(resources, "Shading")) this.shading(file.dictionary(shading));
    for (const font of this.values(resources, "Font")) this.font(file.dictionary(font));
  }

  annotation(annotation: PdfDictionary | undefined): void {
    const appearances = annotation && dictionaryEntry(this.file, annotation, "AP");
    for (const appearance of appearances?.entries.values() ?? []) {
      const found = this.file.resolve(appearance);
      if (isKind(found, "stream")) this.object(found);
      else if (isKind(found, "dictionary"))
        for (const state of found.entries.values()) this.object(this.file.resolve(state));
    }
  }

  /** The colour space in which a page or form blends transparent content. */
  group(owner: PdfDictionary): void {
    const group = dictionaryEntry(this.file, owner, "Group");
    if (group?.entries.has("CS")) this.colourSpace(group.entries.get("CS") ?? null);
    else if (group !== undefined && this.spaces.size === 0)
      this.report(
        "6.2.10",
        "Transparent content has no colour space to be mixed in, and there is no output intent.",
      );
  }

  private graphicsState(state: PdfDictionary | undefined): void {
    if (state === undefined || this.isKnown(state)) return;
    const { file } = this;
    if (state.entries.has("TR")) this.report("6.2.5", "A graphics state has a transfer function (TR).");
    if (state.entries.has("TR2") && nameEntry(file, state, "TR2") !== "Default")
      this.report("6.2.5", "A graphics state has a transfer function (TR2) that is not Default.");
    if (state.entries.has("HTP")) this.report("6.2.5", "A graphics state has a halftone phase (HTP).");
    const halftone = dictionaryEntry(file, state, "HT");
    if (halftone !== undefined && ![1, 5].includes(numberEntry(file, halftone, "HalftoneType") ?? 0))
      this.report("6.2.5", "A graphics state has a halftone that is of neither type 1 nor type 5.");
    const intent = nameEntry(file, state, "RI");
    if (intent !== undefined && !renderingIntents.has(intent))
      this.report("6.2.6", `A graphics state has the rendering intent ${intent}, which there is not.`);
    for (const mode of listEntry(file, state, "BM")) {
      const name = nameText(file.resolve(mode)) ?? "of no name";
      if (!blendModes.has(name)) this.report("6.2.10", `There is no blend mode ${name}.`);
    }
    const mask = dictionaryEntry(file, state, "SMask");
    if (mask !== undefined) this.object(entry(file, mask, "G"));
    for (const font of listEntry(file, state, "Font").slice(0, 1)) this.font(file.dictionary(font));
  }

  private object(object: PdfObject | undefined): void {
    if (!isKind(object, "stream") || this.isKnown(object)) return;
    const { file } = this;
    const { dictionary } = object;
    if (dictionary.entries.has("OPI")) this.report("6.2.8", "A picture or form refers to another one (OPI).");
    const kind = nameEntry(file, dictionary, "Subtype");
    if (kind === "Image") this.picture(dictionary);
    else if (kind === "Form") this.form(dictionary);
    else this.report("6.2.9", `There is an object of the type ${kind}: expected Image or Form.`);
  }

  private picture(picture: PdfDictionary): void {
    const { file } = this;
    if (picture.entries.has("Alternates")) this.report("6.2.8", "A picture has alternates.");
    if (entry(file, picture, "Interpolate") === true) this.report("6.2.8", "A picture is interpolated.");
    const intent = nameEntry(file, picture, "Intent");
    if (intent !== undefined && !renderingIntents.has(intent))
      this.report("6.2.6", `A picture has the rendering intent ${intent}, which there is not.`);
    if (listEntry(file, picture, "Filter").some((each) => isName(file.resolve(each), "JPXDecode")))
      this.report("6.2.8.3", "A picture is in JPEG 2000, which could not be checked.");
    if (entry(file, picture, "ImageMask") !== true && picture.entries.has("ColorSpace"))
      this.colourSpace(picture.entries.get("ColorSpace") ?? null);
    this.object(entry(file, picture, "SMask"));
    this.object(entry(file, picture, "Mask"));
  }

  private form(form: PdfDictionary): void {
    if (form.entries.has("PS") || nameEntry(this.file, form, "Subtype2") === "PS")
      this.report("6.2.9", "A form has PostScript.");
    if (form.entries.has("Ref")) this.report("6.2.9", "A form refers to a page of another file.");
    this.group(form);
    this.resources(dictionaryEntry(this.file, form, "Resources"));
  }

  private pattern(pattern: PdfObject): void {
    const { file } = this;
    if (isKind(pattern, "stream")) this.resources(dictionaryEntry(file, pattern.dictionary, "Resources"));
    else if (isKind(pattern, "dictionary")) {
      this.shading(dictionaryEntry(file, pattern, "Shading"));
      this.graphicsState(dictionaryEntry(file, pattern, "ExtGState"));
    }
  }

  private shading(shading: PdfDictionary | undefined): void {
    if (shading !== undefined && !this.isKnown(shading))
      this.colourSpace(shading.entries.get("ColorSpace") ?? null);
  }

  private font(font: PdfDictionary | undefined): void {
    if (font === undefined || this.isKnown(font)) return;
    for (const { rule, message } of checkFont(this.file, font)) this.report(rule, message);
    for (const glyph of dictionaryEntry(this.file, font, "CharProcs")?.entries.values() ?? [])
      if (!isKind(this.file.resolve(glyph), "stream"))
        this.report("6.2.11.2", "A glyph of a font has no content.");
    this.resources(dictionaryEntry(this.file, font, "Resources"));
  }

  private colourSpace(object: PdfObject): void {
    const space = this.file.resolve(object);
    const name = nameText(space);
    if (name !== undefined) {
      if (name.startsWith("Device") && !this.spaces.has(name))
        this.report("6.2.4.3", `Colours of ${name} have no meaning without an output intent of it.`);
      return;
    }
    if (!isKind(space, "array") || this.isKnown(space)) return;
    if (++this.depth > deepest) return void this.report("6.2.4", "Colour spaces contain each other.");
    const [family, base, alternate] = space.items;
    const kind = nameText(this.file.resolve(family));
    if (kind === "ICCBased") this.profile(this.file.resolve(base));
    else if (kind === "Indexed" || kind === "Pattern") this.colourSpace(base ?? null);
    else if (kind === "Separation" || kind === "DeviceN") this.colourSpace(alternate ?? null);
    this.depth--;
  }

  private profile(profile: PdfObject): void {
    const head = isKind(profile, "stream") ? profileHead(this.file, profile) : undefined;
    if (!isKind(profile, "stream") || head === undefined)
      this.report("6.2.4.2", "The profile of a colour space is no ICC profile of version 2 or 4.");
    else if (numberEntry(this.file, profile.dictionary, "N") !== head.components)
      this.report("6.2.4.2", `A profile has ${head.components} components, its N says something else.`);
  }

  private values(resources: PdfDictionary, category: string): Iterable<PdfObject> {
    return dictionaryEntry(this.file, resources, category)?.entries.values() ?? [];
  }

  private isKnown(object: Exclude<PdfObject, null | number | boolean> | PdfStream): boolean {
    return this.seen.size === this.seen.add(object).size;
  }

  private report(rule: string, message: string): void {
    const key = `${rule} ${message}`;
    if (!this.found.has(key)) this.found.set(key, { rule, message, page: this.page });
  }
}

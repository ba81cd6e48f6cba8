/** Ways to damage an archivable PDF, each with the clause of ISO 19005-3 that it breaks. */
import {
  isKind,
  type PdfDictionary,
  type PdfFile,
  type PdfObject,
  pagesOf,
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfText,
} from "@slipway/sdk/runtime/pdf";

/** The parts of the sound PDF. */
export interface Parts {
  file: PdfFile;
  catalog: PdfDictionary;
  page: PdfDictionary;
  resources: PdfDictionary;
  font: PdfDictionary;
  /** The specification of the embedded file, and its content. */
  specification: PdfDictionary;
  embedded: PdfDictionary;
  /** An annotation, a link. */
  link: PdfDictionary;
  picture: PdfDictionary;
  profile: PdfDictionary;
}

/** A graphics state, a font, … that the page may use. */
function resource({ resources, file }: Parts, category: string, value: PdfObject): void {
  const known = file.dictionary(resources.entries.get(category)) ?? pdfDictionary();
  known.entries.set("Damage", file.add(value));
  resources.entries.set(category, known);
}

const state = (entries: Record<string, PdfObject>) => (parts: Parts) =>
  resource(parts, "ExtGState", pdfDictionary(entries));

const stream = (content: string, entries: Record<string, PdfObject>): PdfObject => ({
  kind: "stream",
  dictionary: pdfDictionary(entries),
  data: Buffer.from(content, "latin1"),
});

const form = (content: string, entries: Record<string, PdfObject> = {}): PdfObject =>
  stream(content, { Type: pdfName("XObject"), Subtype: pdfName("Form"), BBox: box(9), ...entries });

const box = (side: number): PdfObject => pdfArray([0, 0, side, side]);
const action = (type: string, entries: Record<string, PdfObject> = {}): PdfObject =>
  pdfDictionary({ S: pdfName(type), ...entries });

/** Adds content to the page. */
function painted(content: string) {
  return ({ page, file }: Parts): void => {
    const known = page.entries.get("Contents") ?? null;
    const marked = stream(`/Artifact BMC ${content} EMC\n`, {});
    page.entries.set("Contents", pdfArray([file.add(marked), ...(file.array(known) ?? [known])]));
  };
}

/** Replaces a text of the metadata. */
function metadata(from: string | RegExp, to: string) {
  return ({ catalog, file }: Parts): void => {
    const found = file.resolve(catalog.entries.get("Metadata"));
    if (!isKind(found, "stream")) throw new Error("no metadata");
    const text = Buffer.from(found.data).toString("utf8");
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`nothing to replace: ${from}`);
    found.data = Buffer.from(changed);
  };
}

const without = (of: keyof Omit<Parts, "file">, key: string) => (parts: Parts) =>
  void parts[of].entries.delete(key);
const having = (of: keyof Omit<Parts, "file">, key: string, value: PdfObject) => (parts: Parts) =>
  void parts[of].entries.set(key, value);

type Damage = [clause: string, damage: (parts: Parts) => void];

export const damages: Record<string, Damage> = {
  "no output intent": ["6.2.4.3", without("catalog", "OutputIntents")],
  "a profile with a wrong number of components": ["6.2.3", having("profile", "N", 4)],
  "an operator that there is not": ["6.2.2", painted("1 2 foo")],
  "colours for printing presses": ["6.2.4.3", painted("0 0 0 1 k")],
  "a colour space for printing presses": [
    "6.2.4.3",
    (parts) =>
      resource(parts, "ColorSpace", pdfArray([pdfName("Indexed"), pdfName("DeviceCMYK"), 0, pdfText("a")])),
  ],
  "a colour space with no profile": [
    "6.2.4.2",
    (parts) => {
      const profile = parts.file.add(stream("no profile", { N: 3 }));
      resource(parts, "ColorSpace", pdfArray([pdfName("ICCBased"), profile]));
    },
  ],
  "a rendering intent that there is not": ["6.2.6", painted("/Pretty ri")],
  "graphics states without end": ["6.1.13", painted("q ".repeat(40) + "Q ".repeat(40))],
  "a picture in the content that is interpolated": [
    "6.2.8",
    painted("BI /W 1 /H 1 /BPC 8 /CS /G /I true ID x EI"),
  ],
  "a picture in the content with an old filter": [
    "6.1.10",
    painted("BI /W 1 /H 1 /BPC 8 /CS /G /F /LZW ID x EI"),
  ],
  "a picture that is interpolated": ["6.2.8", having("picture", "Interpolate", true)],
  "a picture with alternates": ["6.2.8", having("picture", "Alternates", pdfArray([]))],
  "a picture for printing presses": ["6.2.4.3", having("picture", "ColorSpace", pdfName("DeviceCMYK"))],
  "a transfer function": ["6.2.5", state({ TR: pdfName("Identity") })],
  "another transfer function": ["6.2.5", state({ TR2: pdfName("Identity") })],
  "a halftone of a wrong type": ["6.2.5", state({ HT: pdfDictionary({ HalftoneType: 6 }) })],
  "a blend mode that there is not": ["6.2.10", state({ BM: pdfName("Glue") })],
  "a graphics state with a wrong intent": ["6.2.6", state({ RI: pdfName("Pretty") })],
  "an object in PostScript": [
    "6.2.9",
    (parts) => resource(parts, "XObject", stream("", { Subtype: pdfName("PS") })),
  ],
  "a form from another file": [
    "6.2.9",
    (parts) => resource(parts, "XObject", form("", { Ref: pdfDictionary() })),
  ],
  "a font that is not embedded": [
    "6.2.11.4",
    ({ font, file }) => {
      const [descendant] = file.array(font.entries.get("DescendantFonts")) ?? [];
      const owner = file.dictionary(descendant) ?? font;
      const descriptor = file.dictionary(owner.entries.get("FontDescriptor"));
      for (const key of ["FontFile", "FontFile2", "FontFile3"]) descriptor?.entries.delete(key);
    },
  ],
  "a font without meaning": ["6.2.11.7.2", without("font", "ToUnicode")],
  "a font of no known encoding": ["6.2.11.3.3", having("font", "Encoding", pdfName("Secret-H"))],
  "a font of no known type": [
    "6.2.11.2",
    (parts) => resource(parts, "Font", pdfDictionary({ Subtype: pdfName("Type9") })),
  ],
  "characters that the font lacks": [
    "6.2.11.8",
    (parts) => {
      const [name = ""] = parts.file.dictionary(parts.resources.entries.get("Font"))?.entries.keys() ?? [];
      painted(`BT /${name} 9 Tf <0000> Tj ET`)(parts);
    },
  ],
  "a film": ["6.3.1", having("link", "Subtype", pdfName("Movie"))],
  "an annotation that is not printed": ["6.3.2", having("link", "F", 0)],
  "an annotation that is hidden": ["6.3.2", having("link", "F", 6)],
  "an annotation without appearance": ["6.3.3", having("link", "Subtype", pdfName("Stamp"))],
  "a form that asks for appearances": [
    "6.4.1",
    having("catalog", "AcroForm", pdfDictionary({ NeedAppearances: true })),
  ],
  "a form in XML": ["6.4.2", having("catalog", "AcroForm", pdfDictionary({ XFA: pdfText("") }))],
  "a script when it is opened": ["6.5.1", having("catalog", "OpenAction", action("JavaScript"))],
  "a program that a link starts": ["6.5.1", having("link", "A", action("Launch"))],
  "a named action of one reader": ["6.5.1", having("link", "A", action("Named", { N: pdfName("Print") }))],
  "actions of a page": ["6.5.2", having("page", "AA", pdfDictionary())],
  "actions of the document": ["6.5.2", having("catalog", "AA", pdfDictionary())],
  "no metadata": ["6.6.2.1", without("catalog", "Metadata")],
  "metadata that end in the middle": ["6.6.2.1", metadata("</rdf:RDF>", "")],
  "a packet that says its encoding": ["6.6.2.1", metadata("id=", 'encoding="UTF-8" id=')],
  "a property that nobody describes": [
    "6.6.2.3.1",
    metadata("</rdf:Description>", "<pdf:Colour>red</pdf:Colour></rdf:Description>"),
  ],
  "a claim of PDF/UA without a description": [
    "6.6.2.3.1",
    metadata(/<pdfaExtension:schemas>[\s\S]*<\/pdfaExtension:schemas>/, ""),
  ],
  "two lists of extension schemas": [
    "6.6.2.3.2",
    metadata(/(<pdfaExtension:schemas>[\s\S]*<\/pdfaExtension:schemas>)/, "$1$1"),
  ],
  "a description without a category": [
    "6.6.2.3.2",
    metadata(/<pdfaProperty:category>\w+<\/pdfaProperty:category>/, ""),
  ],
  "no claim": ["6.6.4", metadata(/<pdfaid:part>3<\/pdfaid:part>/, "")],
  "another part": ["6.6.4", metadata("<pdfaid:part>3<", "<pdfaid:part>1<")],
  "two claims": [
    "6.6.4",
    metadata("<pdfaid:part>3</pdfaid:part>", "<pdfaid:part>3</pdfaid:part><pdfaid:part>2</pdfaid:part>"),
  ],
  "a level that there is not": ["6.6.4", metadata("conformance>A<", "conformance>Z<")],
  "no marks": ["6.7.2", without("catalog", "MarkInfo")],
  "no structure": ["6.7.3", without("catalog", "StructTreeRoot")],
  "no language": ["6.7.4", without("catalog", "Lang")],
  "a file without a media type": ["6.8", without("embedded", "Subtype")],
  "a file with one name alone": ["6.8", without("specification", "UF")],
  "a file of which nobody knows what it is": ["6.8", without("specification", "AFRelationship")],
  "a file that belongs to nothing": ["6.8", without("catalog", "AF")],
  "a file without content": ["6.8", without("specification", "EF")],
  "a file that was never changed": ["6.8", without("embedded", "Params")],
  "layers without a name": [
    "6.9",
    having("catalog", "OCProperties", pdfDictionary({ OCGs: pdfArray([]), D: pdfDictionary() })),
  ],
  "layers that switch themselves": [
    "6.9",
    having(
      "catalog",
      "OCProperties",
      pdfDictionary({ OCGs: pdfArray([]), D: pdfDictionary({ Name: pdfText("Layers"), AS: pdfArray([]) }) }),
    ),
  ],
  "steps of a presentation": ["6.10", having("page", "PresSteps", pdfDictionary())],
  "a wish for certain readers": ["6.11", having("catalog", "Requirements", pdfArray([]))],
  "a permission that there is not": [
    "6.1.12",
    having("catalog", "Perms", pdfDictionary({ Secret: pdfDictionary() })),
  ],
  "a page that is too large": ["6.1.13", having("page", "MediaBox", box(20_000))],
  "a text that is too long": ["6.1.13", having("catalog", "Damage", pdfText("x".repeat(40_000)))],
  "a name that is too long": ["6.1.13", having("catalog", "x".repeat(130), 1)],
  "a number that is too large": ["6.1.13", having("catalog", "Damage", 3_000_000_000)],
  "a stream in another file": ["6.1.7.1", having("embedded", "F", pdfText("elsewhere.xml"))],
};

/** Damages of the bytes of the file. */
export const byteDamages: Record<string, [clause: string, damage: (pdf: Buffer) => Uint8Array]> = {
  "another version": ["6.1.2", (pdf) => replaced(pdf, "%PDF-1.7", "%PDF-2.0")],
  "no binary comment": ["6.1.2", (pdf) => replaced(pdf, "\n%\xe2\xe3\xcf\xd3", "\n%abcd")],
  "bytes behind the end": ["6.1.3", (pdf) => Buffer.concat([pdf, Buffer.from("more")])],
  "no identifier": ["6.1.3", (pdf) => replaced(pdf, "/ID[", "/Id[")],
  encryption: ["6.1.3", (pdf) => replaced(pdf, "/ID[", "/Encrypt<</Filter/Standard>>/I[")],
};

/** Of another length, so that only what stands behind all places in the file may grow. */
function replaced(pdf: Buffer, from: string, to: string): Uint8Array {
  const text = pdf.toString("latin1");
  if (!text.includes(from)) throw new Error(`nothing to replace: ${from}`);
  return Buffer.from(
    text.replace(from, () => to),
    "latin1",
  );
}

/** The parts of a PDF with a page, a picture, a link and an embedded file. */
export function partsOf(file: PdfFile): Parts {
  const { catalog } = file;
  const page = pagesOf(file, catalog)[0]?.dictionary;
  const resources = file.dictionary(page?.entries.get("Resources"));
  const [font] = file.dictionary(resources?.entries.get("Font"))?.entries.values() ?? [];
  const [link] = file.array(page?.entries.get("Annots")) ?? [];
  const objects = [...(file.dictionary(resources?.entries.get("XObject"))?.entries.values() ?? [])];
  const pictures = objects.map((each) => file.dictionary(each));
  const [intent] = file.array(catalog.entries.get("OutputIntents")) ?? [];
  const [specification] = file.array(catalog.entries.get("AF")) ?? [];
  const content = file.dictionary(file.dictionary(specification)?.entries.get("EF"))?.entries.get("F");
  const parts = {
    catalog,
    page,
    resources,
    font: file.dictionary(font),
    specification: file.dictionary(specification),
    embedded: file.dictionary(content),
    link: file.dictionary(link),
    picture: pictures.find((each) => each?.entries.has("ColorSpace")),
    profile: file.dictionary(file.dictionary(intent)?.entries.get("DestOutputProfile")),
  };
  return { file, ...present(parts) };
}

function present<T extends object>(parts: { [K in keyof T]: T[K] | undefined }): T;
function present(parts: Record<string, unknown>): unknown {
  for (const [name, part] of Object.entries(parts))
    if (part === undefined) throw new Error(`the PDF has no ${name}`);
  return parts;
}

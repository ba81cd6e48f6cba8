/** The OBX reader of the vendor's client library, which needs a browser's XML. */

/** Neither is asked for its types: the first has none with it, those of the second need the browser's. */
const documents = "jsdom";
const reading = "@easterngraphics/wcf/modules/cf/io/ObxReader.js";

interface BrowserWindow {
  DOMParser: unknown;
  Node: unknown;
  Element: unknown;
}

/** What that reader says of one article. */
export interface ReadArticleProperties {
  manufacturerId?: string;
  manufacturerName?: string;
  seriesId?: string;
  seriesName?: string;
  manufacturer?: string;
  program?: string;
  distributionRegion?: string;
  baseArticleNumber?: string;
  finalArticleNumber?: string;
  useFinalArticleNumber?: boolean;
  variantCode?: string;
  ofmlVariantCode?: string;
  shortText?: string;
  longText?: string;
  featureText?: string;
  quantity?: number;
  inconsistencyFlag?: boolean;
  inconsistencyReason?: string[];
  geometryId?: string;
}

/** One item as that reader gives it. */
export interface ReadItemProperties {
  itemId: string;
  itemType: string;
  label?: string;
  article?: ReadArticleProperties;
  tmRows?: unknown[];
  composableGeometry?: { enabled: boolean };
}

interface ObxReader {
  setLanguages(languages: string[]): void;
  _loadObx(file: Blob): Promise<void>;
  getObxData(): { items: unknown[]; itemProps: ReadItemProperties[] };
}

/** Of a file reader, what the library asks for. */
class TextFileReader {
  result: string | undefined;
  onload: ((event: { target: TextFileReader }) => void) | undefined;
  onloadend: ((event: { target: TextFileReader }) => void) | undefined;
  onerror: ((reason: unknown) => void) | undefined;

  readAsText(file: Blob): void {
    file.text().then(
      (text) => {
        this.result = text;
        this.onload?.({ target: this });
        this.onloadend?.({ target: this });
      },
      (error) => this.onerror?.(error),
    );
  }
}

/** The items of an OBX as the client library sees them. */
export async function readByClientLibrary(obx: string, languages: string[]): Promise<ReadItemProperties[]> {
  const { JSDOM } = (await import(documents)) as { JSDOM: new (html: string) => { window: BrowserWindow } };
  const { DOMParser, Node, Element } = new JSDOM("").window;
  Object.assign(globalThis, { DOMParser, Node, Element, FileReader: TextFileReader });
  const { ObxReader } = (await import(reading)) as { ObxReader: new () => ObxReader };
  const reader = new ObxReader();
  reader.setLanguages(languages);
  await reader._loadObx(new Blob([obx]));
  return reader.getObxData().itemProps;
}

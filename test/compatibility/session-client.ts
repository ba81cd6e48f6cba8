/** The vendor's client library for sessions, unchanged; it needs a browser's XML. */

/** Neither is asked for its types: the first has none with it, those of the second need the browser's. */
const documents = "jsdom";
const library = "@easterngraphics/wcf/modules/eaiws";

/** A value of the library: which members it has is what its readers ask. */
export type LibraryValue = Record<string, unknown>;

type Call<P extends unknown[], R> = (...parameters: P) => Promise<R>;

/** Of the library's session, what tests call. */
export interface LibrarySession {
  sessionId: string;
  open(
    base: string,
    options: { startup?: string; locale?: string; keepAliveInterval: null },
  ): Promise<boolean>;
  connect(base: string, sessionId: string, keepAliveInterval: null): boolean;
  close(): Promise<boolean>;
  uploadFile(type: string, file: Blob): Promise<string>;
  deleteFile: Call<[url: string], void>;
  session: {
    getLocale: Call<[], string>;
    keepAlive: Call<[], boolean>;
    loadSession: Call<[uri: string], string>;
    saveSession: Call<[uri: null, options?: LibraryValue], string>;
    newSessionContext: Call<[], string>;
    getSessionContext: Call<[contextId: string], LibraryValue>;
    disposeSessionContext: Call<[contextId: string], void>;
    getSessionLog: Call<[reset: boolean], unknown>;
  };
  project: {
    closeProjects: Call<[keys: string[]], void>;
    getProjectData: Call<[format?: string], LibraryValue>;
    setProjectData: Call<[data: LibraryValue], void>;
    getAddressData: Call<[types?: string[]], LibraryValue[]>;
    setAddressData: Call<[address: LibraryValue], void>;
    removeAddressData: Call<[types: string[]], string[]>;
    getContactData: Call<[], LibraryValue[]>;
    getProjectTexts: Call<[format: string, types?: string[]], LibraryValue[]>;
    setProjectText: Call<[text: LibraryValue, update: boolean], void>;
  };
  basket: {
    getTopFolderId: Call<[viewId?: string], string>;
    getAllItems: Call<[ids?: string[], options?: LibraryValue], LibraryValue[]>;
    getItemProperties: Call<[ids: string[], options?: LibraryValue], LibraryValue[]>;
    listPricingProcedures: Call<[active: boolean], LibraryValue[]>;
    getPriceCalculationSheets: Call<[ids: string[] | null, name?: string], LibraryValue[]>;
    getBasketConfig: Call<[], LibraryValue>;
    getBasketViewConfigs: Call<[ids?: string[]], LibraryValue[]>;
    changeBasketViewConfig: Call<[config: LibraryValue], void>;
    getLanguages: Call<[], string[]>;
    setLanguages: Call<[languages: string[]], void>;
    getCurrency: Call<[], string>;
    setCurrency: Call<[currency: string], void>;
    listTaxSchemes: Call<[active: boolean], LibraryValue[]>;
    selectCurrentTaxScheme: Call<[id: string], void>;
    getCurrentTaxScheme: Call<[], string>;
    copy: Call<[ids: string[]], string>;
    paste: Call<
      [father: string | null, before: string | null, uri: string, options?: LibraryValue],
      string[]
    >;
  };
}

/** The library's classes by name, of all its services. */
export interface Library {
  newSession(): LibrarySession;
  /** A value of one of the library's classes with some members. */
  value(service: "session" | "project" | "basket", name: string, members: LibraryValue): LibraryValue;
  /** Conversions in a context of a session; from the address of a file to that of the other one. */
  obkToObx: Call<[session: LibrarySession, url: string], string>;
  obxToObk: Call<[session: LibrarySession, url: string, options?: LibraryValue], string>;
  /** What the library computes from a price sheet: the totals of the project. */
  totals(session: LibrarySession, scheme: string, sheet: unknown): Promise<LibraryValue>;
}

interface Classes {
  [name: string]: new (...parameters: unknown[]) => LibraryValue;
}

/** The library as it is installed. */
export async function clientLibrary(): Promise<Library> {
  const { JSDOM } = (await import(documents)) as {
    JSDOM: new (html: string) => { window: { DOMParser: unknown; Node: unknown } };
  };
  const { DOMParser, Node } = new JSDOM("").window;
  Object.assign(globalThis, { DOMParser, Node });
  const { EaiwsSession, obkToObx, obxToObk } = (await import(`${library}/index.js`)) as {
    EaiwsSession: new () => LibrarySession;
  } & Pick<Library, "obkToObx" | "obxToObk">;
  const modules = {
    session: (await import(`${library}/session/index.js`)) as Classes,
    project: (await import(`${library}/project/index.js`)) as Classes,
    basket: (await import(`${library}/basket/index.js`)) as Classes,
  };
  const { PricingProcedureInfo, CalculationSheetInfo } = modules.basket as unknown as {
    PricingProcedureInfo: { CreateInfo: Call<[session: LibrarySession, scheme: string], unknown> };
    CalculationSheetInfo: new (procedure: unknown, sheet: unknown) => LibraryValue;
  };
  return {
    newSession: () => new EaiwsSession(),
    obkToObx,
    obxToObk,
    value(service, name, members) {
      const Class = modules[service][name];
      if (Class === undefined) throw new Error(`The library has no ${name}`);
      return Object.assign(new Class(), members);
    },
    totals: async (session, scheme, sheet) =>
      new CalculationSheetInfo(await PricingProcedureInfo.CreateInfo(session, scheme), sheet),
  };
}

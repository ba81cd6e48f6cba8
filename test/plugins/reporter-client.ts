/** Talks to the reporter of a running host the way clients do, and holds the projects of its tests. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../start-host.js";
import { printedPages } from "../templates/printed-pages.js";

/** Any JSON object. */
export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  mediaType: string;
  text: string;
  /** The body where it is JSON, else an empty object. */
  json: Json;
}

const base = "/EAIWS/plugins/Reporter/";

export class ReporterClient {
  constructor(readonly url: string) {}

  /** Opens a session and gives its id. */
  async open(project: Json | Uint8Array<ArrayBuffer>, locale = "en_GB"): Promise<string> {
    const binary = project instanceof Uint8Array;
    const response = await fetch(`${this.url}/api/sessions?locale=${locale}`, {
      method: "POST",
      headers: { "Content-Type": binary ? "application/octet-stream" : "application/json" },
      body: binary ? project : JSON.stringify(project),
    });
    const answer = await answerOf(response);
    if (answer.status !== 201) throw new Error(`Opening a session: ${answer.status} ${answer.text}`);
    return String(answer.json["sessionId"]);
  }

  async get(path: string): Promise<Answer> {
    return answerOf(await fetch(`${this.url}${base}${path}`));
  }

  async post(path: string, body: Json): Promise<Answer> {
    const response = await fetch(`${this.url}${base}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return answerOf(response);
  }

  /** What the template sees; fails where there is an aborting error. */
  async data(body: Json): Promise<Json> {
    const answer = await this.post("data.json", { templateKey: "quote", ...body });
    if (answer.status !== 200) throw new Error(`data.json: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  /** The text of each page of a generated file. */
  async pages(url: unknown): Promise<string[]> {
    const response = await fetch(String(url));
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    const pages = await printedPages(new Uint8Array(await response.arrayBuffer()));
    return pages.map((page) => page.text.replace(/\s+/g, " "));
  }
}

export async function answerOf(response: Response): Promise<Answer> {
  const mediaType = (response.headers.get("Content-Type") ?? "").split(";", 1)[0] ?? "";
  const text = await response.text();
  const json: unknown = mediaType === "application/json" ? JSON.parse(text) : {};
  return { status: response.status, mediaType, text, json: isJson(json) ? json : { list: json } };
}

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The demo project in one of its forms. */
export async function demoFile(ending: "json" | "obk" | "obx"): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(join(repository, "config", "demo", `demo-project.${ending}`)));
}

/** A project file from outside of the repository, or undefined where it is not at hand. */
export async function sampleFile(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const path = join(repository, "..", "shared", "samples", name);
  return existsSync(path) ? new Uint8Array(await readFile(path)) : undefined;
}

/** All objects in a tree of report items, in print order. */
export function allItems(data: Json): Json[] {
  const below = (items: unknown): Json[] =>
    (Array.isArray(items) ? items : []).filter(isJson).flatMap((item) => [item, ...below(item["children"])]);
  return below(data["items"]);
}

/** One member of each item. */
export function each(data: Json, member: string): unknown[] {
  return allItems(data).map((item) => item[member]);
}

/** Ids of the suppressed errors of an answer. */
export function errorIds(json: Json): unknown[] {
  const errors = json["errors"];
  return Array.isArray(errors) ? errors.filter(isJson).map((error) => error["id"]) : [];
}

export function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** An article that costs `price` EUR. */
export function article(number: number, price: string, more: Json = {}): Json {
  return {
    type: "article",
    id: id(number),
    articleKind: "article",
    quantity: { value: "1", unit: "C62" },
    manufacturerId: "M",
    seriesId: "S",
    baseArticleNumber: `A-${number}`,
    useFinalArticleNumber: false,
    productDescription: { shortText: [{ lang: "en", value: `Article ${number}` }] },
    features: [],
    productPrices: [{ side: "sales", base: { value: price, currency: "EUR" } }],
    ...more,
  };
}

export function project(items: Json[], more: Json = {}): Json {
  return {
    formatVersion: "1",
    id: id(999),
    header: { name: "Small project", number: "P 7" },
    settings: {
      languages: ["en"],
      currency: "EUR",
      referenceCurrency: "EUR",
      exchangeRates: {},
      taxScheme: {
        id: "DE",
        taxTypes: [
          {
            id: "VAT",
            rateUnit: "%",
            categories: [
              { id: "standard_rate", rate: "19" },
              { id: "reduced_rate", rate: "7" },
            ],
          },
        ],
        order: ["VAT"],
      },
      rounding: { halfWay: "even", interval: "0.01" },
    },
    items,
    ...more,
  };
}

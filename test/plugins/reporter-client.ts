/** Talks to the reporter the way clients do, and holds the projects of its tests. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { id, projectOf, type TestHost } from "@slipway/sdk/testing";
import { repository } from "../start-host.js";
import { printedPages } from "../templates/printed-pages.js";
import {
  type Answer,
  type Bytes,
  isJson,
  type Json,
  type PluginClient,
  pluginClient,
} from "./plugin-client.js";

export { id } from "@slipway/sdk/testing";
export { type Answer, isJson, type Json } from "./plugin-client.js";

export class ReporterClient {
  private readonly plugin: PluginClient;

  /** `host`: the URL of a running host, or a test host with the reporter. */
  constructor(host: string | TestHost) {
    this.plugin = pluginClient(host, "Reporter");
  }

  /** Opens a session and gives its id. */
  open(project: Json | Bytes, locale = "en_GB"): Promise<string> {
    return this.plugin.open(project, locale);
  }

  get(path: string): Promise<Answer> {
    return this.plugin.get(path);
  }

  post(path: string, body: Json): Promise<Answer> {
    return this.plugin.post(path, body);
  }

  /** What the template sees; fails where there is an aborting error. */
  async data(body: Json): Promise<Json> {
    const answer = await this.post("data.json", { templateKey: "quote", ...body });
    if (answer.status !== 200) throw new Error(`data.json: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  /** The text of each page of a generated file. */
  async pages(url: unknown): Promise<string[]> {
    const { bytes } = await this.plugin.download(url);
    const pages = await printedPages(bytes);
    return pages.map((page) => page.text.replace(/\s+/g, " "));
  }
}

/** The demo project in one of its forms. */
export async function demoFile(ending: "json" | "obk" | "obx"): Promise<Bytes> {
  return new Uint8Array(await readFile(join(repository, "config", "demo", `demo-project.${ending}`)));
}

/** A project file from outside of the repository, or undefined where it is not at hand. */
export async function sampleFile(name: string): Promise<Bytes | undefined> {
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

/** Those of the data of a report. */
export function totals(data: Json): Json {
  return isJson(data["totals"]) ? data["totals"] : {};
}

/** What a 400 found wrong: what was expected, by path. */
export function violations(json: Json): Record<string, unknown> {
  const info = json["additionalInformation"];
  const list = isJson(info) && Array.isArray(info["violations"]) ? info["violations"].filter(isJson) : [];
  return Object.fromEntries(list.map((each) => [each["path"], each["expected"]]));
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

/** A project of items as they are, also of broken ones. */
export function project(items: Json[], more: Json = {}): Json {
  return { ...projectOf({ id: id(999), name: "Small project", number: "P 7" }), items, ...more };
}

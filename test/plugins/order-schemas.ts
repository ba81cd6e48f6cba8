/**
 * The published schemas and rules of Order-X and UBL. They are test data beside the repository, and no part of it: a test that
 * needs them is left out without them.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { XmlSchema } from "@slipway/sdk";
import { XmlDocument, XmlXPath } from "libxml2-wasm";
import { SaxesParser } from "saxes";
import { repository } from "../start-host.js";

const folder = join(repository, "..", "shared", "oracles");

/** Why tests are left out; false if the schemas are there. */
export const withoutSchemas = existsSync(folder) ? false : `There are no schemas of orders in ${folder}.`;

export type OrderKind = "COMFORT" | "EXTENDED" | "UBL";

export interface OrderSchema {
  /** What schema and rules find. */
  findings(document: Uint8Array): string[];
  dispose(): void;
}

/** Compiling takes a second: make one for all tests of a file. */
export async function orderSchema(kind: OrderKind): Promise<OrderSchema> {
  if (kind === "UBL") {
    const schema = await XmlSchema.compile("maindoc/UBL-Order-2.1.xsd", await schemaFiles("ubl", true));
    return { findings: (document) => messages(schema, document), dispose: () => schema.dispose() };
  }
  const place = join("order-x", kind.toLowerCase());
  const files = await schemaFiles(place, false);
  const schema = await XmlSchema.compile("SCRDMCCBDACIOMessageStructure_100pD20B.xsd", files);
  const rules = readRules(files.get(`SCRDMCCBDACIOMessageStructure_100pD20B_${kind}.sch`) ?? "");
  return {
    findings: (document) => [...messages(schema, document), ...broken(rules, document)],
    dispose: () => {
      schema.dispose();
      for (const { path } of rules) path.dispose();
    },
  };
}

function messages(schema: XmlSchema, document: Uint8Array): string[] {
  return schema.validate(document).map(({ line, message }) => `line ${line}: ${message}`);
}

async function schemaFiles(place: string, nested: boolean): Promise<Map<string, string>> {
  const names = await readdir(join(folder, place), { recursive: true });
  const files = names.filter((name) => /\.(xsd|sch)$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, place, name), "utf8")));
  return new Map(files.map((name, index) => [nested ? name : basename(name), texts[index] ?? ""]));
}

/** An assertion: the path of the elements that break it. */
interface Rule {
  test: string;
  path: XmlXPath;
}

function readRules(schematron: string): Rule[] {
  const namespaces: Record<string, string> = {};
  const rules: Rule[] = [];
  let context = "";
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const { uri = "", prefix = "", test = "" } = attributes;
    if (name === "ns") namespaces[prefix] = uri;
    if (name === "rule") context = (attributes["context"] ?? "").replace(/^(?!\/)/, "//");
    if (name === "assert")
      rules.push({ test, path: XmlXPath.compile(`${context}[not(${test})]`, namespaces) });
  });
  parser.write(schematron).close();
  return rules;
}

function broken(rules: readonly Rule[], bytes: Uint8Array): string[] {
  const document = XmlDocument.fromBuffer(bytes);
  try {
    return rules.flatMap(({ test, path }) =>
      document.root.find(path).map((node) => `line ${node.line}: ${test}`),
    );
  } finally {
    document.dispose();
  }
}

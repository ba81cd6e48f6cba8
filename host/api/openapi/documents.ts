import { createHash } from "node:crypto";
import { type RouteTable, releaseNamed } from "../../plugins/route-table.js";
import { hostVersion } from "../../system/installation.js";
import type { OperationFacts } from "../operation.js";
import { type DocumentSelection, openApiDocument } from "./document.js";

/** A serialised document. */
export interface ServedDocument {
  json: Buffer;
  etag: string;
}

/** Caches the documents per route table. */
export class Documents {
  private readonly made = new WeakMap<RouteTable, Map<string, ServedDocument>>();

  constructor(
    private readonly operations: () => readonly OperationFacts[],
    private readonly table: () => RouteTable,
  ) {}

  /** The document for the current route table; undefined for an unknown release or plugin. */
  get({ release, plugin }: DocumentSelection): ServedDocument | undefined {
    const table = this.table();
    // An alias shares the document of its release.
    const named = release === undefined ? undefined : releaseNamed(table, release);
    const selection = { release: named ?? release, plugin };
    const ofTable = this.made.get(table) ?? new Map<string, ServedDocument>();
    this.made.set(table, ofTable);
    const key = JSON.stringify([selection.release, selection.plugin]);
    const known = ofTable.get(key);
    if (known !== undefined) return known;
    const source = { version: hostVersion, operations: this.operations(), table };
    const document = openApiDocument(source, selection);
    if (document === undefined) return undefined;
    const json = Buffer.from(JSON.stringify(document));
    const served = { json, etag: createHash("sha256").update(json).digest("base64url").slice(0, 27) };
    ofTable.set(key, served);
    return served;
  }
}

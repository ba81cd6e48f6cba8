import { equal } from "node:assert/strict";
import type { ProjectDocument } from "@slipway/sdk";
import { type StartOptions, startHost } from "../start-host.js";
import { type PrintedPage, printedPages } from "./printed-pages.js";

export interface Reporter {
  /** Opens a session; its id. */
  open(project: ProjectDocument, locale?: string): Promise<string>;
  /** Prints a session's project with a template, by default the quote; `request` is added to the generate request. */
  print(sessionId: string, request?: Record<string, unknown>, template?: string): Promise<PrintedPage[]>;
  /** The same as the file itself. */
  file(sessionId: string, request?: Record<string, unknown>, template?: string): Promise<Uint8Array>;
  stop(): Promise<unknown>;
}

/** A host of its own that prints reports over HTTP. */
export async function startReporter(options: StartOptions = {}): Promise<Reporter> {
  const host = await startHost(options);
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${host.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    equal(response.ok, true, text);
    return JSON.parse(text);
  };
  const file: Reporter["file"] = async (sessionId, request = {}, template = "quote") => {
    const path = `/EAIWS/plugins/Reporter/template/${template}/v1/generate`;
    const answer = await post(path, { sessionId, ...request });
    const response = await fetch(textMember(answer, "url"));
    return new Uint8Array(await response.arrayBuffer());
  };
  return {
    file,
    async open(project, locale = "en_GB") {
      return textMember(await post(`/api/sessions?locale=${locale}`, project), "sessionId");
    },
    print: async (sessionId, request, template) => printedPages(await file(sessionId, request, template)),
    stop: () => host.stop(),
  };
}

function textMember(value: unknown, name: string): string {
  const member: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof member !== "string")
    throw new TypeError(`The answer has no "${name}": ${JSON.stringify(value)}`);
  return member;
}

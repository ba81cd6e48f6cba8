/** The host's side of the plugin API. Plugins are not trusted, so all their input is validated here. */

import type { FetchMethod, FetchResponse, Procedures } from "../../plugin/host.js";
import { RequestError } from "../../schema/errors.js";
import type { Static, TSchema } from "../../schema/schema.js";
import { badRequest, type Check, Validator } from "../../schema/validation.js";
import { describe } from "../../schema/violation.js";
import type { GeneratedFiles } from "../calls/generated-files.js";
import { IncomingFile } from "../calls/incoming-file.js";
import { pluginMistake, sessionNotFound } from "../calls/request-errors.js";
import type { Work } from "../calls/work.js";
import { type ParametersOf, type ServiceName, ServiceParameters } from "../messages/host-parameters.js";
import type { Message, Received } from "../messages/message.js";
import { archiveFiles } from "./archive-files.js";
import { callService } from "./call-service.js";
import { embedFiles } from "./embed-files.js";
import type { OfferingPlugins, ServiceMeasures } from "./find-service.js";
import { renderPdf } from "./pdf-rendering.js";
import type { PluginValues } from "./plugin-values.js";
import type { Printing, TemplateSource } from "./printing.js";
import { duringRequest, type ServiceContext } from "./service-context.js";
import type { SessionContents } from "./session-contents.js";
import type { ShownPictures } from "./shown-pictures.js";
import { madeFile, storeFile } from "./stored-file.js";

/** A request to another server, with its limits. */
export interface LimitedRequest {
  method: FetchMethod;
  /** Sent only to the origin of the URL, not to other redirect targets. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  signal: AbortSignal;
  /** Largest response, in bytes. */
  maxBytes: number;
  work: Work;
  /** Throws a `RequestError` for a server that the plugin may not request; called for redirects, too. */
  permit?: ((url: URL) => void) | undefined;
}

/** Outgoing HTTP with the host's allow-list and limits. */
export type LimitedFetch = (url: string, request: LimitedRequest) => Promise<FetchResponse>;

/** The parts of the host behind the services. */
export interface ServiceProviders {
  sessions: SessionContents;
  pictures: ShownPictures;
  artifacts: GeneratedFiles;
  pdf: Printing;
  templates: TemplateSource;
  procedures: Procedures;
  fetch: LimitedFetch;
  store: PluginValues;
}

/** The providers, and the plugins that currently offer services. */
type Providers = ServiceProviders & { plugins: OfferingPlugins; measures?: ServiceMeasures | undefined };

type Service = (values: unknown, parts: Buffer[], context: ServiceContext) => Promise<Message>;

/** Handles service calls of plugins. */
export interface HostServices {
  call(name: string, message: Received, context: ServiceContext): Promise<Message>;
}

/** Services by protocol name. `maximumAnswer` is the maximum size of a message. */
export function createHostServices(providers: Providers, maximumAnswer: number): HostServices {
  const services = new Map<string, Service>(Object.entries(allServices(providers, maximumAnswer)));
  return {
    call: async (name, message, context) => {
      const service = services.get(name);
      if (service === undefined) throw pluginMistake(`There is no service "${name.slice(0, 80)}".`);
      const serve = (work: Work): Promise<Message> =>
        service(message.values, message.parts, { ...context, work });
      try {
        return await (isPiece(name) ? serve(context.work) : context.work.step(name, serve));
      } catch (error) {
        if (error instanceof RequestError || context.signal.aborted) throw error;
        context.work.log.error(`The service ${name} failed`, { error });
        throw new RequestError({
          id: "internal-error",
          code: 500,
          message: "The host failed. Its log says why.",
          reason: error,
        });
      }
    },
  };
}

function allServices(providers: Providers, maximumAnswer: number): Record<ServiceName, Service> {
  const { sessions, pictures, artifacts, templates, procedures, fetch, store } = providers;
  return {
    "session.project": service("session.project", async (_parameters, _content, context) => {
      const session = sessionOf(context);
      const project = await sessions.project(session.id, session.revision);
      if (project === undefined) throw sessionNotFound(session.id);
      return parts(project);
    }),
    "session.asset": service("session.asset", async ({ sha256 }, _content, context) => {
      const asset = await sessions.asset(sessionOf(context).id, sha256);
      return asset === undefined ? parts() : parts(asset);
    }),
    "session.picture": service("session.picture", async ({ sha256 }, _content, context) => {
      const asset = await sessions.asset(sessionOf(context).id, sha256);
      if (asset === undefined) return parts();
      const shown = await pictures.shown(asset, { owner: duringRequest(context), signal: context.signal });
      if ("problem" in shown) return { values: { problem: shown.problem }, parts: [] };
      const { content, ...values } = shown;
      return { values, parts: [content] };
    }),
    "files.create": service("files.create", async ({ name, mediaType }, content, context) =>
      json(await storeFile(artifacts, context, { name, mediaType, content })),
    ),
    "files.open": service("files.open", async ({ name, mediaType, archived = false }, _content, context) => {
      const { files, signal } = duringRequest(context);
      const incoming = new IncomingFile(artifacts, { name, mediaType, archived }, files.memory, signal);
      return { values: { file: files.receive(incoming), room: incoming.room }, parts: [] };
    }),
    "files.write": service("files.write", async ({ file, insertions = [] }, bytes, context, texts) => {
      await duringRequest(context).files.receiving(file).write({ bytes, texts, insertions });
      return parts();
    }),
    "files.finish": service("files.finish", async ({ file }, _content, context) => {
      const { files } = duringRequest(context);
      const written = await files.receiving(file).finish();
      files.release(file);
      return json(madeFile(artifacts, context, written));
    }),
    "files.discard": service("files.discard", async ({ file }, _content, context) => {
      await duringRequest(context).files.release(file)?.discard();
      return parts();
    }),
    "files.archive": service("files.archive", async (parameters, _content, context) =>
      json(await archiveFiles(artifacts, context, parameters)),
    ),
    "pdf.render": service("pdf.render", async (parameters, content, context) =>
      json(await renderPdf(providers, context, parameters, content.toString("utf8"))),
    ),
    "pdf.embed": service("pdf.embed", async (parameters, _content, context) =>
      json(await embedFiles(providers, context, parameters)),
    ),
    "templates.list": service("templates.list", async ({ locale, reload }) =>
      json(await templates.list(locale, reload)),
    ),
    "templates.listStore": service("templates.listStore", async ({ locale, url, token, reload }) =>
      json(await templates.listStore({ locale, url, token, reload })),
    ),
    "templates.find": service("templates.find", async ({ key, locale }) =>
      json(await templates.find(key, locale)),
    ),
    "templates.render": service("templates.render", async (parameters, data, { signal, deadline, work }) => {
      const { key, version, locale, formatLocale } = parameters;
      const request = { key, version, locale, formatLocale, data: data.toString("utf8") };
      const { html } = await templates.render(request, { signal, deadline, work });
      return parts(html);
    }),
    "procedures.find": service("procedures.find", async ({ name }) => json(await procedures.find(name))),
    fetch: service("fetch", async ({ url, method, headers, hasBody }, sent, { plugin, signal, work }) => {
      requireOwnHeaders(headers);
      if (hasBody && (method === "GET" || method === "HEAD"))
        throw pluginMistake(`host.fetch: a ${method} request has no body.`);
      const body = hasBody ? sent : undefined;
      const request = {
        method,
        headers,
        body,
        signal,
        maxBytes: maximumAnswer,
        work,
        permit: plugin.permits?.fetch,
      };
      const { content, ...response } = await fetch(url, request);
      return { values: response, parts: [content] };
    }),
    "store.get": service("store.get", async ({ key }, _content, { plugin }) => {
      const kept = await store.get(plugin.name, key);
      return kept === undefined ? parts() : { values: { revision: kept.revision }, parts: [kept.value] };
    }),
    "store.set": service("store.set", async ({ key, expected }, value, { plugin }) => {
      const text = value.toString("utf8");
      if (parsed(text) === undefined) throw pluginMistake(`host.store: "${key}" is no JSON value.`);
      return { values: { revision: await store.set(plugin.name, key, text, expected) }, parts: [] };
    }),
    "store.delete": service("store.delete", async ({ key, expected }, _content, { plugin }) => ({
      values: { there: await store.delete(plugin.name, key, expected) },
      parts: [],
    })),
    "store.keys": service("store.keys", async ({ beginning }, _content, { plugin }) =>
      json(await store.keys(plugin.name, beginning)),
    ),
    "service.call": service("service.call", async (parameters, input, context) => {
      const answer = await callService(providers, context, parameters, input.toString("utf8"));
      return parts(answer.value, answer.errors);
    }),
  };
}

/** Plugins are not trusted to send JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Headers that describe the connection and the length of the body; Node.js sets them. */
const hostHeaders =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

function requireOwnHeaders(headers: Readonly<Record<string, string>>): void {
  const foreign = Object.keys(headers).find((name) => hostHeaders.test(name));
  if (foreign !== undefined) throw pluginMistake(`host.fetch: the host sets the header ${foreign} itself.`);
}

/** These calls are too frequent to be traced individually. */
function isPiece(name: string): boolean {
  return name === "files.write" || name === "session.asset" || name === "session.picture";
}

const validator = new Validator();

/** A service that validates its parameters. `more`: the parts after the content. */
function service<N extends ServiceName>(
  name: N,
  run: (
    parameters: ParametersOf<N>,
    content: Buffer,
    context: ServiceContext,
    more: readonly Buffer[],
  ) => Promise<Message>,
): Service {
  const schema: TSchema & (typeof ServiceParameters)[N] = ServiceParameters[name];
  // Compiled on first use: most plugins use only a few services.
  let check: Check<Static<(typeof ServiceParameters)[N]>> | undefined;
  return async (values, [content = Buffer.alloc(0), ...more], context) => {
    check ??= validator.compile(schema, name);
    const result = check(values);
    if (result.ok) return await run(result.value, content, context, more);
    throw pluginMistake(
      `The plugin used ${name} wrongly: ${result.violations.map(describe).join("; ")}`,
      badRequest(name, result.violations),
    );
  };
}

function sessionOf(context: ServiceContext): { id: string; revision: number } {
  const { session } = duringRequest(context).origin;
  if (session === undefined) throw pluginMistake("The plugin asked for a session, but the request has none.");
  return session;
}

function parts(...contents: (Uint8Array | string)[]): Message {
  return { values: {}, parts: contents };
}

/** No part means undefined. */
function json(value: unknown): Message {
  return value === undefined ? parts() : parts(JSON.stringify(value));
}

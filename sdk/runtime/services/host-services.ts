/** The host's side of what `host` offers to plugins. Plugins are not trusted: whatever they send is checked here. */

import { RequestError } from "../../errors.js";
import type { Procedures } from "../../plugin/host.js";
import type { Static, TSchema } from "../../schema.js";
import { badRequest, type Check, describe, Validator } from "../../validation.js";
import { pluginMistake } from "../calls/call-errors.js";
import type { GeneratedFiles } from "../calls/generated-files.js";
import { IncomingFile } from "../calls/incoming-file.js";
import { sessionNotFound } from "../calls/request-errors.js";
import type { ServiceMeasures } from "../calls/service-measures.js";
import type { Work } from "../calls/work.js";
import { type ParametersOf, type ServiceName, ServiceParameters } from "../messages/host-parameters.js";
import type { Message, Received } from "../messages/message.js";
import { archiveFiles } from "./archive-files.js";
import { callService } from "./call-service.js";
import type { OfferingPlugins } from "./find-service.js";
import { renderPdf } from "./pdf-rendering.js";
import type { Printing } from "./printing.js";
import { duringRequest, type ServiceContext } from "./service-context.js";
import type { SessionContents } from "./session-contents.js";
import { madeFile, storeFile } from "./stored-file.js";
import type { TemplateSource } from "./template-source.js";

/** Outgoing HTTP with the host's allow-list and limits. */
export type LimitedFetch = (
  url: string,
  options: { signal: AbortSignal; maxBytes?: number; work?: Work },
) => Promise<{ status: number; mediaType: string; content: Uint8Array }>;

/** The parts of the host behind the services. */
export interface ServiceProviders {
  sessions: SessionContents;
  artifacts: GeneratedFiles;
  pdf: Printing;
  templates: TemplateSource;
  procedures: Procedures;
  fetch: LimitedFetch;
}

/** What services need beside the providers: who offers services right now. */
type Providers = ServiceProviders & { plugins: OfferingPlugins; measures?: ServiceMeasures | undefined };

type Service = (values: unknown, parts: Buffer[], context: ServiceContext) => Promise<Message>;

/** Answers what plugins ask for. */
export interface HostServices {
  call(name: string, message: Received, context: ServiceContext): Promise<Message>;
}

/** Each service by the name that it has in the protocol. `maximumAnswer` is what fits into one message. */
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
          message: "The host failed.",
          reason: error,
        });
      }
    },
  };
}

function allServices(providers: Providers, maximumAnswer: number): Record<ServiceName, Service> {
  const { sessions, artifacts, templates, procedures, fetch } = providers;
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
    "files.create": service("files.create", async ({ name, mediaType }, content, context) =>
      json(await storeFile(artifacts, context, { name, mediaType, content })),
    ),
    "files.open": service("files.open", async ({ name, mediaType }, _content, context) => {
      const { files, signal } = duringRequest(context);
      return {
        values: { file: files.receive(new IncomingFile(artifacts, { name, mediaType }, signal)) },
        parts: [],
      };
    }),
    "files.write": service("files.write", async ({ file }, piece, context) => {
      await duringRequest(context).files.receiving(file).write(piece);
      return parts();
    }),
    "files.finish": service("files.finish", async ({ file }, _content, context) => {
      const { files } = duringRequest(context);
      const artifact = await files.receiving(file).finish();
      files.release(file);
      return json(madeFile(artifacts, context, artifact));
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
    fetch: service("fetch", async ({ url }, _content, { signal, work }) => {
      const { status, mediaType, content } = await fetch(url, { signal, maxBytes: maximumAnswer, work });
      return { values: { status, mediaType }, parts: [content] };
    }),
    "service.call": service("service.call", async (parameters, input, context) => {
      const answer = await callService(providers, context, parameters, input.toString("utf8"));
      return parts(answer.value, answer.errors);
    }),
  };
}

/** There may be thousands of them in one request; each by itself says nothing. */
function isPiece(name: string): boolean {
  return name === "files.write" || name === "session.asset";
}

const validator = new Validator();

/** A service that runs only with parameters of its schema. */
function service<N extends ServiceName>(
  name: N,
  run: (parameters: ParametersOf<N>, content: Buffer, context: ServiceContext) => Promise<Message>,
): Service {
  const schema: TSchema & (typeof ServiceParameters)[N] = ServiceParameters[name];
  // Most plugins use few of them.
  let check: Check<Static<(typeof ServiceParameters)[N]>> | undefined;
  return async (values, [content = Buffer.alloc(0)], context) => {
    check ??= validator.compile(schema, name);
    const result = check(values);
    if (result.ok) return await run(result.value, content, context);
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

/** No part stands for undefined. */
function json(value: unknown): Message {
  return value === undefined ? parts() : parts(JSON.stringify(value));
}

import type {
  Host,
  PdfResult,
  PricingProcedure,
  StoredFile,
  TemplateDefinition,
  TemplateRecord,
} from "@slipway/sdk";
import type { Received } from "../protocol/channel.js";
import type { HostConnection } from "./host-connection.js";
import { remoteLog } from "./remote-log.js";

/** The services of the host as a plugin sees them: each is one call over the channel. */
export function remoteHost(connection: HostConnection, plugin: { name: string; version: string }): Host {
  return {
    plugin,
    log: remoteLog(connection),
    files: {
      create: async ({ name, mediaType, content }) =>
        fromHost<StoredFile>(await connection.call("files.create", { name, mediaType }, [content])),
    },
    pdf: {
      render: async (request) => {
        const { filename, tagged = false, scripts = false, prependLinks = [], appendLinks = [] } = request;
        const parameters = { filename, tagged, scripts, prependLinks, appendLinks };
        if ("html" in request)
          return fromHost<PdfResult>(await connection.call("pdf.render", parameters, [request.html]));
        const { data, ...template } = request.template;
        return fromHost<PdfResult>(await connection.call("pdf.render", { ...parameters, template }, [data]));
      },
    },
    templates: {
      list: async ({ locale, reload = false }) =>
        fromHost<TemplateRecord[]>(await connection.call("templates.list", { locale, reload })),
      find: async ({ key, locale }) =>
        foundByHost<TemplateDefinition>(await connection.call("templates.find", { key, locale })),
      render: async ({ data, ...parameters }) => {
        const { parts } = await connection.call("templates.render", parameters, [data]);
        return { html: firstPart(parts).toString("utf8") };
      },
    },
    procedures: {
      find: async (name) => foundByHost<PricingProcedure>(await connection.call("procedures.find", { name })),
    },
    fetch: async (url) => {
      const { values, parts } = await connection.call("fetch", { url });
      return {
        status: Number(values["status"]),
        mediaType: String(values["mediaType"]),
        content: firstPart(parts),
      };
    },
  };
}

/** The host is trusted: what it sends has the type that the protocol says. */
function fromHost<T>({ parts }: Received): T {
  const value: T = JSON.parse(firstPart(parts).toString("utf8"));
  return value;
}

function foundByHost<T>(received: Received): T | undefined {
  return received.parts.length === 0 ? undefined : fromHost<T>(received);
}

function firstPart(parts: Buffer[]): Buffer {
  const [first] = parts;
  if (first === undefined) throw new Error("The host's answer lacks its content.");
  return first;
}

/** The options of a template (interface document, section 2.2). */
import { type Host, type Route, route, SessionId, TemplateOptions, Type } from "@slipway/sdk";
import { findTemplate } from "../request/find-template.js";
import { TemplateKeyParameter } from "../request/generate-request.js";

const OptionsResponse = Type.Object({ options: TemplateOptions });

/** Both paths of the options operation. */
export function templateOptionsRoutes(host: Host): Route[] {
  const options = async (key: string, locale: string): Promise<{ options: TemplateOptions }> => ({
    options: (await findTemplate(host, { path: key }, locale)).options,
  });
  return [
    route.get("template/:templateKey/options.json", {
      summary: "The options of a template, labels in the language of the session or in English.",
      query: Type.Object({ sessionId: Type.Optional(SessionId) }),
      params: TemplateKeyParameter,
      session: "optional",
      response: OptionsResponse,
      handler: ({ params, locale }) => options(params.templateKey, locale),
    }),
    route.get("options.json", {
      summary: "The options of the template that the query names.",
      query: Type.Object({
        templateKey: Type.String({ minLength: 1, maxLength: 200 }),
        sessionId: Type.Optional(SessionId),
      }),
      session: "optional",
      response: OptionsResponse,
      handler: ({ query, locale }) => options(query.templateKey, locale),
    }),
  ];
}

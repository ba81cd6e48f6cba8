/** The list of templates (interface document, section 4.1). */
import { type Host, RequestError, type Route, route, SessionId, TemplateRecord, Type } from "@slipway/sdk";

const defaultCategory = "default";
const everyCategory = "*";

const Query = Type.Object({
  sessionId: Type.Optional(SessionId),
  authToken: Type.Optional(Type.String({ maxLength: 8000 })),
  owdsURL: Type.Optional(Type.String({ maxLength: 4000 })),
  update: Type.Optional(
    Type.Unknown({ description: "Its presence reloads all templates; any value will do." }),
  ),
  category: Type.Optional(Type.String({ maxLength: 4000, description: 'Keys with commas between, or "*".' })),
});

/** Lists templates by category, those of the category "default" when the request names none. */
export function listTemplates(host: Host): Route {
  return route.get("templates.json", {
    summary: "Lists the report templates of this server.",
    query: Query,
    session: "optional",
    response: Type.Array(TemplateRecord),
    async handler({ query, locale }) {
      refuseStore(query);
      const templates = await host.templates.list({ locale, reload: query.update !== undefined });
      const isWanted = categoryFilter(query.category);
      return templates.filter((template) => isWanted(template.category.key));
    },
  });
}

/** An empty parameter counts as absent. */
function categoryFilter(category: string | undefined): (key: string) => boolean {
  const keys = (category ?? "").split(",").map((key) => key.trim());
  const wanted = new Set(keys.filter((key) => key !== ""));
  if (wanted.size === 0) wanted.add(defaultCategory);
  return (key) => wanted.has(everyCategory) || wanted.has(key);
}

function refuseStore(query: { authToken?: string; owdsURL?: string }): void {
  const named = (["authToken", "owdsURL"] as const).filter((name) => (query[name] ?? "") !== "");
  if (named.length === 0) return;
  throw new RequestError({
    id: "request-not-implemented",
    code: 501,
    message: `${named.join(", ")}: this server lists its own templates only; it does not ask a template store`,
    additionalInformation: { parameters: named },
  });
}

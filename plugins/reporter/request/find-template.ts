import { badRequest, type Host, RequestError, shownValue, type TemplateDefinition } from "@slipway/sdk";

/**
 * The template of a request. The key in the path takes precedence; the body may repeat it or use another key of the
 * same template.
 * @throws {RequestError} 400 `request-bad-request` if the body names another template, 404 `request-template-not-found`
 */
export async function findTemplate(
  host: Host,
  keys: { path?: string | undefined; body?: string | undefined },
  locale: string,
): Promise<TemplateDefinition> {
  const { path, body } = keys;
  const key = path ?? body ?? "";
  const template = await host.templates.find({ key, locale });
  if (template === undefined) throw templateNotFound(key);
  if (path === undefined || body === undefined || path === body) return template;
  const other = await host.templates.find({ key: body, locale });
  if (other?.record.templateKey === template.record.templateKey) return template;
  const expected = `"${path}", as in the path, another key of that template, or nothing`;
  throw badRequest("Two different templates", [
    { path: "body.templateKey", expected, received: shownValue(body) },
  ]);
}

function templateNotFound(key: string): RequestError {
  return new RequestError({
    id: "request-template-not-found",
    code: 404,
    message: `templateKey: there is no template "${key}"; templates.json?category=* lists them all`,
    additionalInformation: { templateKey: key },
  });
}

import { badRequest, type Host, RequestError, shownValue, type TemplateDefinition } from "@slipway/sdk";

/**
 * The template of a request. The key in the path counts.
 * @throws {RequestError} 400 `request-bad-request` where the body names another one, 404 `request-template-not-found`
 */
export async function findTemplate(
  host: Host,
  keys: { path?: string | undefined; body?: string | undefined },
  locale: string,
): Promise<TemplateDefinition> {
  const { path, body } = keys;
  if (path !== undefined && body !== undefined && path !== body) {
    const expected = `"${path}", as in the path, or nothing`;
    throw badRequest("Two different templates", [
      { path: "body.templateKey", expected, received: shownValue(body) },
    ]);
  }
  const key = path ?? body ?? "";
  const template = await host.templates.find({ key, locale });
  if (template !== undefined) return template;
  throw new RequestError({
    id: "request-template-not-found",
    code: 404,
    message: `templateKey: there is no template "${key}"; templates.json?category=* lists them all`,
    additionalInformation: { templateKey: key },
  });
}

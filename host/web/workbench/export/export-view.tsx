import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { isJsonObject } from "../../../system/json.js";
import { useHost } from "../../client/host-context.js";
import { routesOf } from "../../parts/routes.js";
import { Reporter } from "../../preview/reporter.js";
import { Missing } from "../parts/missing.js";
import { FailureNotice, Loading } from "../parts/outcome.js";
import { isMissing, type OpenProject } from "../projects/open-project.js";
import { useWorkbenchWords } from "../words/words.js";
import { type ExportForm, exportForm, type Offer, type Offers } from "./export-form.js";
import { type ExportName, exportKinds } from "./export-kinds.js";
import { ExportSettings } from "./export-settings.js";

/** What the form of an export needs from host and plugin. */
interface Described {
  document: unknown;
  defaults: unknown;
  offers: Offers;
}

/** An export of the project, with a form for its settings. */
export default function ExportView({ project, name }: { project: OpenProject; name: ExportName }) {
  const host = useHost();
  const { exports: words, settings } = useWorkbenchWords();
  const [described, setDescribed] = useState<Described>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const kind = exportKinds[name];
  const { sessionId } = project.facts;

  const again = useCallback(() => setAttempt((before) => before + 1), []);
  const isAvailable = useCallback(async (): Promise<boolean> => {
    const document: unknown = await (await host.request("openapi.json")).json();
    return routesOf(document).some(({ path }) => path === kind.path);
  }, [host, kind]);

  useEffect(() => {
    const given = new AbortController();
    const { signal } = given;
    setDescribed(undefined);
    setFailure(undefined);
    const json = async (path: string): Promise<unknown> =>
      (await host.request(path.slice(1), { signal })).json();
    const describe = async (): Promise<Described> => {
      const [document, defaults, manufacturers, templates, session] = await Promise.all([
        json("/openapi.json"),
        kind.defaults && json(kind.defaults.path),
        kind.manufacturers &&
          host.post(kind.manufacturers.slice(1), { sessionId }, signal).then((answer) => answer.json()),
        // Without the reporter there is no PDF to choose a template for.
        kind.defaults && new Reporter(host).templates(sessionId).catch(() => []),
        kind.hasViews
          ? host.call("GET /api/sessions/:sessionId", { params: { sessionId } }, signal)
          : undefined,
      ]);
      const offers = {
        manufacturerIds: readManufacturers(manufacturers),
        reporterTemplateKey: (templates ?? []).map(({ key, name: title }) => ({ value: key, title })),
        viewId: (session?.project.views ?? []).map(({ id, name: title }) => ({ value: id, title })),
      };
      return { document, defaults, offers };
    };
    describe().then(setDescribed, (error: unknown) => {
      if (!signal.aborted) setFailure(error);
    });
    return () => given.abort();
  }, [host, name, sessionId, attempt]);

  const form = useMemo<ExportForm | undefined>(
    () => described && exportForm(kind, described.document, described, { ...words, settings }),
    [described, kind, words, settings],
  );
  const missing = (
    <Missing icon="plugins" title={words[name].missing} isAvailable={isAvailable} again={again} />
  );
  if (isMissing(failure)) return missing;
  if (failure !== undefined) return <FailureNotice failure={failure} again={again} />;
  if (described === undefined) return <Loading />;
  if (form === undefined) return missing;
  return <ExportSettings key={`${name} ${sessionId}`} project={project} name={name} form={form} />;
}

function readManufacturers(found: unknown): Offer[] {
  return (Array.isArray(found) ? found : []).flatMap((each: unknown) => {
    if (!isJsonObject(each)) return [];
    const { manufacturerId: value, manufacturerName: title } = each;
    return typeof value === "string" && typeof title === "string" ? [{ value, title: title || value }] : [];
  });
}

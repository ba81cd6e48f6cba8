import { useEffect, useRef, useState } from "preact/hooks";
import { asError } from "../../system/errors.js";
import { isJsonObject } from "../../system/json.js";
import { useHost } from "../client/host-context.js";
import { CopyButton } from "../parts/button.js";
import { Failure } from "../parts/notice.js";
import { Empty, Panel } from "../parts/panel.js";
import { useRemembered } from "../parts/remembered.js";
import type { Route } from "../parts/routes.js";
import { counted } from "../parts/shown-values.js";
import { AnswerPanel } from "./answer-panel.js";
import { curlCommand, type Inputs, preparedRequest } from "./inputs.js";
import { usePlugin } from "./plugin-context.js";
import { RequestForm } from "./request-form.js";
import { type RouteAnswer, send } from "./sent-request.js";

/** The form of a route, and its last response. */
export function RoutePanel(properties: {
  route: Route;
  /** Name of the plugin: inputs are stored for it. */
  place: string;
  session: string | undefined;
  /** Whether it is sent again after each save. */
  isFollowing: boolean;
  follow(isFollowing: boolean): void;
}) {
  const { route, place, session, isFollowing, follow } = properties;
  const host = useHost();
  const { reload } = usePlugin();
  const [inputs, setInputs] = useRemembered(`dev ${place} ${route.id}`, readInputs);
  const [answer, setAnswer] = useState<RouteAnswer>();
  const [failure, setFailure] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const last = useRef(0);
  const request = preparedRequest(route, inputs, session);
  const curl = curlCommand(request, host.root);

  const ask = async (): Promise<void> => {
    last.current += 1;
    const own = last.current;
    setIsBusy(true);
    setFailure(undefined);
    try {
      const next = await send(host, request);
      // A later request replaced this one.
      if (own === last.current) setAnswer(next);
    } catch (error) {
      if (own === last.current) setFailure(asError(error));
    } finally {
      if (own === last.current) setIsBusy(false);
    }
  };

  const seen = useRef(reload?.id);
  useEffect(() => {
    if (reload === undefined || reload.id === seen.current) return;
    seen.current = reload.id;
    if (isFollowing && reload.level === "info") void ask();
  }, [reload?.id]);

  return (
    <div class="exchange">
      <Panel
        title="Request"
        aside={
          <label class="check">
            <input
              type="checkbox"
              checked={isFollowing}
              onChange={(event) => follow(event.currentTarget.checked)}
            />
            Send again after each save
          </label>
        }
      >
        <p class="route-title">
          <Method route={route} />{" "}
          <code class="any-break">{route.kind === "service" ? route.shown : route.path}</code>
        </p>
        <p class="quiet">{route.summary}</p>
        <RequestForm
          route={route}
          inputs={inputs}
          change={setInputs}
          session={session}
          body={request.body}
          isBusy={isBusy}
          send={() => void ask()}
        />
        <details class="curl">
          <summary>curl</summary>
          <div class="with-copy">
            <pre>{curl}</pre>
            <CopyButton text={curl} what="curl command" />
          </div>
        </details>
      </Panel>
      {failure !== undefined && <Failure error={failure} />}
      <AnswerPanel answer={answer} isBusy={isBusy} />
    </div>
  );
}

/** Reads stored inputs; empty if they are invalid. */
function readInputs(kept: unknown): Inputs {
  if (!isJsonObject(kept) || !isJsonObject(kept["texts"])) return { texts: {} };
  const texts = Object.entries(kept["texts"]).flatMap(([key, text]) =>
    typeof text === "string" ? [[key, text] as const] : [],
  );
  const { json } = kept;
  return { texts: Object.fromEntries(texts), ...(typeof json === "string" && { json }) };
}

/** Choice of a route or service method. */
export function RouteList(properties: {
  routes: readonly Route[] | undefined;
  chosen: Route | undefined;
  choose(id: string): void;
}) {
  const { routes, chosen, choose } = properties;
  const methods = routes?.filter(({ kind }) => kind === "service").length ?? 0;
  const count = routes && (
    <span class="quiet">
      {counted(routes.length - methods, "route")}
      {methods > 0 && `, ${counted(methods, "service method")}`}
    </span>
  );
  return (
    <Panel title={methods > 0 ? "Routes and services" : "Routes"} aside={count} isFlush>
      {routes === undefined || routes.length === 0 ? (
        <Empty icon="requests" title="No routes">
          They appear as soon as the plugin is live.
        </Empty>
      ) : (
        <ul class="routes">
          {routes.map((route) => (
            <li key={route.id}>
              <button
                type="button"
                aria-current={route === chosen ? "true" : undefined}
                onClick={() => choose(route.id)}
              >
                <span class="route-name">
                  <Method route={route} /> <code>{route.shown}</code>
                </span>
                <span class="quiet">{route.summary}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** A method in its colour. */
function Method({ route: { kind, method } }: { route: Route }) {
  const tone = kind === "service" || method === "GET" ? "busy" : method === "DELETE" ? "wrong" : "good";
  return (
    <span class="method" data-tone={tone}>
      {kind === "service" ? "CALL" : method}
    </span>
  );
}

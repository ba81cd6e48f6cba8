import { useId } from "preact/hooks";
import type { RecentRequest } from "../../client/operations.js";
import { isFailure, isOwnLook, operationOf } from "./request-kinds.js";

/** Which requests somebody wants to see. */
export interface RequestFilter {
  errorsOnly: boolean;
  /** Also what pages like this one ask for all the time. */
  withLooks: boolean;
  /** Name of a plugin; empty for all requests. */
  plugin: string;
  /** Part of anything that is shown of a request. */
  text: string;
}

export const noFilter: RequestFilter = { errorsOnly: false, withLooks: false, plugin: "", text: "" };

/** Whether a request is one of those. */
export function isWanted(
  request: RecentRequest,
  { errorsOnly, withLooks, plugin, text }: RequestFilter,
): boolean {
  if (errorsOnly && !isFailure(request)) return false;
  if (!withLooks && isOwnLook(request)) return false;
  if (plugin !== "" && request.target?.plugin !== plugin) return false;
  return text.trim() === "" || textOf(request).includes(text.trim().toLowerCase());
}

function textOf(request: RecentRequest): string {
  const { method, path, status, errorId, client, key, requestId, session, target } = request;
  const release = target === undefined ? undefined : `${target.release} ${target.version}`;
  const parts = [
    method,
    path,
    status,
    errorId,
    client,
    key,
    requestId,
    session,
    operationOf(request),
    release,
  ];
  return parts.join(" ").toLowerCase();
}

/** The fields of the filter. */
export function RequestFilters(properties: {
  filter: RequestFilter;
  requests: readonly RecentRequest[];
  change(filter: RequestFilter): void;
}) {
  const { filter, requests, change } = properties;
  const [pluginId, textId] = [useId(), useId()];
  const plugins = [...new Set(requests.flatMap(({ target }) => target?.plugin ?? []))].sort();
  if (filter.plugin !== "" && !plugins.includes(filter.plugin)) plugins.push(filter.plugin);
  return (
    <search class="filters">
      <label for={textId}>
        <span class="unseen">Text</span>
        <input
          id={textId}
          type="search"
          placeholder="Path, client, key, error or request id"
          value={filter.text}
          onInput={(event) => change({ ...filter, text: event.currentTarget.value })}
        />
      </label>
      <label for={pluginId}>
        <span class="unseen">Plugin</span>
        <select
          id={pluginId}
          value={filter.plugin}
          onChange={(event) => change({ ...filter, plugin: event.currentTarget.value })}
        >
          <option value="">All requests</option>
          {plugins.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.errorsOnly}
          onChange={(event) => change({ ...filter, errorsOnly: event.currentTarget.checked })}
        />
        Errors only
      </label>
      <label class="check" title="Periodic requests of pages like this one and of monitors">
        <input
          type="checkbox"
          checked={filter.withLooks}
          onChange={(event) => change({ ...filter, withLooks: event.currentTarget.checked })}
        />
        Include monitoring requests
      </label>
    </search>
  );
}

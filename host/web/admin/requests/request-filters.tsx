import { useId } from "preact/hooks";
import type { RecentRequest } from "../../client/operations.js";
import { Options } from "../../parts/options.js";
import { isFailure, isOwnLook, operationOf } from "./request-kinds.js";

/** Selects requests. */
export interface RequestFilter {
  errorsOnly: boolean;
  /** Whether to include requests of pages like this one and of monitors. */
  withMonitoring: boolean;
  /** Name of a plugin; empty for all requests. */
  plugin: string;
  /** Search text in all displayed values. */
  text: string;
}

export const noFilter: RequestFilter = { errorsOnly: false, withMonitoring: false, plugin: "", text: "" };

/** Whether the filter selects a request. */
export function isWanted(
  request: RecentRequest,
  { errorsOnly, withMonitoring, plugin, text }: RequestFilter,
): boolean {
  if (errorsOnly && !isFailure(request)) return false;
  if (!withMonitoring && isOwnLook(request)) return false;
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
          <Options of={plugins.map((name) => [name, name])} />
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
          checked={filter.withMonitoring}
          onChange={(event) => change({ ...filter, withMonitoring: event.currentTarget.checked })}
        />
        Include monitoring requests
      </label>
    </search>
  );
}

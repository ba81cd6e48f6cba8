import { Type } from "@slipway/sdk";
import { type EventLog, PluginEvent } from "../observability/events/plugin-event.js";
import type { PluginAdministration } from "../plugins/administration/administration.js";
import { PluginEvents } from "./answers.js";
import { After, EventStreams, feed, Limit } from "./event-streams.js";
import { okOrStream, operation } from "./operation.js";

/** `/api/events`: plugin events, as a list or as a stream that ends when `closing` aborts. */
export function eventOperations(
  events: EventLog,
  plugins: Pick<PluginAdministration, "overview">,
  closing: AbortSignal,
) {
  const streams = new EventStreams(closing);
  return [
    operation({
      ...feed,
      path: "/api/events",
      id: "listEvents",
      tag: "events",
      summary: "Events of plugins, as a list or as a stream",
      query: Type.Object(
        {
          after: After,
          plugin: Type.Optional(
            Type.String({ minLength: 1, maxLength: 100, description: "Public name or alias." }),
          ),
          limit: Limit,
        },
        { additionalProperties: false },
      ),
      answers: okOrStream("Events, oldest first.", PluginEvents, { event: "plugin", data: PluginEvent }),
      handle(ctx, { query: { limit, after, plugin: asked } }) {
        // A removed plugin has no aliases, but its events remain.
        const plugin = asked === undefined ? undefined : (plugins.overview(asked)?.name ?? asked);
        const isWanted = (event: PluginEvent) => plugin === undefined || event.plugin === plugin;
        streams.answerOrList(ctx, { events, name: "plugin", isWanted, after }, () => ({
          events: events.list({ after, plugin, limit }),
        }));
      },
    }),
  ];
}

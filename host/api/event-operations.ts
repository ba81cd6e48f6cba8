import { Type } from "@slipway/sdk";
import { type EventLog, PluginEvent } from "../plugins/events/plugin-event.js";
import type { PluginAdministration } from "../plugins/plugin-administration.js";
import { PluginEvents } from "./answers.js";
import { EventStreams, wantsStream } from "./event-streams.js";
import { Nothing, type Operation, operation, Unread } from "./operation.js";

/** Query: begins after the event of this id. */
export const After = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      "Begins after the event of this id. A stream goes by the header Last-Event-ID before, as browsers send it.",
  }),
);

/** Query: how many a list has; streams have no limit. */
export const Limit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 100,
  description: "How many a list has at most; without `after` the last ones. A stream has no limit.",
});

/** `/api/events`: what happened to plugins, as a list or as a stream, which ends at the latest when `closing` aborts. */
export function eventOperations(
  events: EventLog,
  plugins: Pick<PluginAdministration, "overview">,
  closing: AbortSignal,
): Operation[] {
  const streams = new EventStreams(closing);
  return [
    operation({
      method: "GET",
      path: "/api/events",
      id: "listEvents",
      tag: "events",
      summary: "What happened to plugins, as a list or as a stream",
      roles: ["read", "operate"],
      isGuarded: true,
      params: Nothing,
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
      body: Unread,
      answers: {
        200: {
          description: "Events, oldest first.",
          content: { "application/json": PluginEvents },
          stream: { event: "plugin", data: PluginEvent },
        },
      },
      errors: { 503: ["request-overloaded"] },
      handle(ctx, { query: { limit, after, plugin: asked } }) {
        ctx.vary("Accept");
        // One that is gone has no aliases any more, but still its events.
        const plugin = asked === undefined ? undefined : (plugins.overview(asked)?.name ?? asked);
        if (wantsStream(ctx)) {
          const isWanted = (event: PluginEvent) => plugin === undefined || event.plugin === plugin;
          streams.answer(ctx, { events, name: "plugin", isWanted, after });
          return;
        }
        ctx.body = { events: events.list({ after, plugin, limit }) };
      },
    }),
  ];
}

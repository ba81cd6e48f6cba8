import { basename } from "node:path";
import { type Static, Type } from "@slipway/sdk";
import { RecentEntries } from "../system/recent-entries.js";
import { changedTemplate, type TemplateChange, type TemplateService } from "../templates/templates.js";
import { TemplateStates } from "./answers.js";
import { After, EventStreams } from "./event-streams.js";
import { Nothing, ok, operation, Unread, withoutPlace } from "./operation.js";

/** A change of a template, for clients. */
const TemplateEvent = Type.Object(
  {
    ...changedTemplate,
    id: Type.Integer({ minimum: 1 }),
    time: Type.String({ format: "date-time", description: "UTC, when it took effect." }),
    saved: Type.Optional(
      Type.String({
        format: "date-time",
        description: "UTC, last change of a file of the template or of its shared folders.",
      }),
    ),
  },
  { title: "TemplateEvent" },
);

type TemplateEvent = Static<typeof TemplateEvent>;

const capacity = 500;

/**
 * `/api/templates`: the states of templates and stores. `/api/templates/events`: server-sent events, one per change,
 * until `closing` aborts.
 */
export function templateOperations(
  templates: Pick<TemplateService, "states" | "storeStates" | "follow">,
  closing: AbortSignal,
) {
  const streams = new EventStreams(closing);
  const events = new TemplateEvents((listener) => templates.follow(listener));
  const common = {
    method: "GET",
    tag: "templates",
    roles: ["read", "operate"],
    params: Nothing,
    body: Unread,
  } as const;
  return [
    operation({
      ...common,
      path: "/api/templates",
      id: "listTemplates",
      summary: "The state of templates and template stores",
      query: Unread,
      answers: ok("Templates and stores.", TemplateStates),
      handle(ctx) {
        ctx.body = { templates: templates.states().map(withoutPlace), stores: templates.storeStates() };
      },
    }),
    operation({
      ...common,
      path: "/api/templates/events",
      id: "followTemplates",
      summary: "Follows the changes of templates",
      description: "Only the last 500 changes are replayed; the list of templates has the current state.",
      isGuarded: true,
      query: Type.Object({ after: After }, { additionalProperties: false }),
      answers: {
        200: {
          description: "One event for each change.",
          stream: { event: "template", data: TemplateEvent },
        },
      },
      errors: { 503: ["request-overloaded"] },
      handle(ctx, { query: { after } }) {
        streams.answer(ctx, { events, name: "template", isWanted: () => true, after });
      },
    }),
  ];
}

/** Recent template changes, in memory only; clients that miss some read the list. */
class TemplateEvents extends RecentEntries<TemplateEvent> {
  private lastId = 0;

  constructor(follow: TemplateService["follow"]) {
    super(capacity);
    follow((change) => this.keep(change));
  }

  private keep({ changed, ...change }: TemplateChange): void {
    this.lastId += 1;
    this.add({
      ...change,
      // Clients must not see the path.
      folder: basename(change.folder),
      id: this.lastId,
      time: new Date().toISOString(),
      ...(changed !== undefined && { saved: new Date(changed).toISOString() }),
    });
  }
}

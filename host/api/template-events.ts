import { basename } from "node:path";
import { type Static, Type } from "@slipway/sdk";
import { RecentEntries } from "../system/recent-entries.js";
import { changedTemplate, type TemplateChange, type TemplateService } from "../templates/template-service.js";

/** A change of a template as clients hear of it. */
export const TemplateEvent = Type.Object(
  {
    ...changedTemplate,
    id: Type.Integer({ minimum: 1 }),
    time: Type.String({ format: "date-time", description: "UTC, when it was in force." }),
    saved: Type.Optional(
      Type.String({
        format: "date-time",
        description:
          "UTC, when a file of the template, or of what it shares, was last written or moved there.",
      }),
    ),
  },
  { title: "TemplateEvent" },
);
export type TemplateEvent = Static<typeof TemplateEvent>;

const capacity = 500;

/** The last changes of templates, in memory only: who missed more asks for how things stand. */
export class TemplateEvents extends RecentEntries<TemplateEvent> {
  private lastId = 0;

  constructor(follow: TemplateService["follow"]) {
    super(capacity);
    follow((change) => this.keep(change));
  }

  private keep({ changed, ...change }: TemplateChange): void {
    this.lastId += 1;
    this.add({
      ...change,
      // Where the folder lies is nothing for clients.
      folder: basename(change.folder),
      id: this.lastId,
      time: new Date().toISOString(),
      ...(changed !== undefined && { saved: new Date(changed).toISOString() }),
    });
  }
}

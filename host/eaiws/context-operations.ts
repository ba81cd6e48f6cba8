/**
 * Operations about the contexts of a session, in which clients work on another project meanwhile. A context is a separate session:
 * its calls have its id, it has its own lifetime, and counts for the limits of sessions.
 */
import { badRequest, SessionId, shownValue, Type } from "@slipway/sdk";
import { sessionNotFound } from "@slipway/sdk/runtime/host";
import { attribute } from "../soap/soap.js";
import { emptyProject, openEmptySession } from "./empty-project.js";
import { closed, NoResult, sessionOperation } from "./soap-operation.js";
import { closeSession } from "./uploads.js";

const SessionContext = Type.Object(
  { contextId: Type.String(attribute), projectKey: Type.String(attribute) },
  closed,
);

/** Of `Session`. */
export const contextOperations = [
  sessionOperation({
    name: "newSessionContext",
    parameters: { contextData: Type.Optional(Type.Object({}, closed)) },
    result: SessionId,
    async handle({ ctx, parts, record }) {
      const { locale, summary } = record;
      return (await openEmptySession(parts, ctx, { locale, currency: summary.currency })).id;
    },
  }),
  sessionOperation({
    name: "getSessionContext",
    parameters: { contextId: SessionId },
    result: SessionContext,
    async handle({ parts }, { contextId }) {
      const record = await parts.sessions.use(contextId.toLowerCase());
      if (record === undefined) throw sessionNotFound(contextId, 404);
      return { contextId: record.id, projectKey: record.summary.id };
    },
  }),
  sessionOperation({
    name: "disposeSessionContext",
    parameters: { contextId: SessionId },
    result: NoResult,
    async handle({ parts }, { contextId }) {
      if (!(await closeSession(parts, contextId.toLowerCase()))) throw sessionNotFound(contextId, 404);
    },
  }),
];

/** Of `Project`. */
export const closeProjects = sessionOperation({
  name: "closeProjects",
  parameters: { projectKeys: Type.Array(Type.String({ maxLength: 100 })) },
  result: NoResult,
  async handle({ record, change }, { projectKeys }) {
    const { id } = record.summary;
    const others = projectKeys.filter((key) => key.toLowerCase() !== id.toLowerCase());
    if (others.length > 0)
      throw badRequest(
        { message: `The session has only the project ${id} open; name no others in \`projectKeys\`.` },
        others.map((key) => ({
          path: "projectKeys",
          expected: `its project, ${id}`,
          received: shownValue(key),
        })),
      );
    await change(({ settings }) => emptyProject(record.locale, settings.currency));
  },
});

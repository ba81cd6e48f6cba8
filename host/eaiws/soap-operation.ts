/** Declares the operations of the session service: schemas of parameters and result, and what they do. */
import {
  badRequest,
  type ProjectDocument,
  SessionId,
  type Static,
  type TSchema,
  Type,
  Validator,
} from "@slipway/sdk";
import { sessionNotFound } from "@slipway/sdk/runtime/host";
import type { RequestContext } from "../http/request-state.js";
import { holderOf } from "../security/fair-share.js";
import type { SessionChange, SessionRecord } from "../sessions/sessions.js";
import { readValue, type XmlNode } from "../soap/soap.js";
import { overloaded } from "../system/request-errors.js";
import type { SessionServiceParts } from "./service-parts.js";

/** The request of a call, and how it takes memory for projects until it is answered. */
export interface CallContext {
  ctx: RequestContext;
  /** Throws 503 `request-overloaded` when the client's share is used up. */
  take(bytes: number): void;
}

/** An operation of the session service, ready to serve. */
export interface SoapOperation {
  name: string;
  /** Of its result; a list is one element `return` for each. */
  result: TSchema;
  /** Its result. 400 `request-bad-request` lists all wrong parameters. */
  serve(parts: SessionServiceParts, context: CallContext, node: XmlNode): Promise<unknown>;
}

/** A call inside a session. */
export interface SessionCall extends CallContext {
  parts: SessionServiceParts;
  record: SessionRecord;
  /** The project, which must not be changed. */
  project(): Promise<ProjectDocument>;
  /** Replaces the project by what a function makes of it. */
  change(make: (project: ProjectDocument) => ProjectDocument): Promise<void>;
  /** The same for a function that makes something else, too; resolves with all of it. */
  replace<M extends { project: ProjectDocument }>(make: (project: ProjectDocument) => M): Promise<M>;
  /** Changes anything of the session. */
  changeSession(make: (project: ProjectDocument) => SessionChange): Promise<void>;
}

/** The schema of an operation without a result. */
export const NoResult = Type.Void();

/** The schema of parameters, or of an object in them; a member without a place is refused. */
export const closed = { additionalProperties: false } as const;

const validator = new Validator({ coerce: true, lazy: true });

/** An operation that needs no session. */
export function soapOperation<P extends TSchema, R extends TSchema>(declared: {
  name: string;
  parameters: P;
  result: R;
  handle(
    parts: SessionServiceParts,
    context: CallContext,
    parameters: Static<P>,
  ): Promise<Static<R>> | Static<R>;
}): SoapOperation {
  const { name, parameters, result, handle } = declared;
  const check = validator.compile(parameters, name);
  return {
    name,
    result,
    async serve(parts, context, node) {
      const given = check(readValue(node, parameters));
      if (!given.ok) throw badRequest(`The parameters of ${name} are not valid`, given.violations);
      return await handle(parts, context, given.value);
    },
  };
}

/**
 * An operation of a session, whose lifetime it renews. `parameters` are those besides the id of the session. 404
 * `request-session-not-found` for a session that is not active.
 */
export function sessionOperation<P extends Readonly<Record<string, TSchema>>, R extends TSchema>(declared: {
  name: string;
  parameters: P;
  result: R;
  handle(
    call: SessionCall,
    parameters: Static<ReturnType<typeof withSession<P>>>,
  ): Promise<Static<R>> | Static<R>;
}): SoapOperation {
  const { name, result, handle } = declared;
  return soapOperation({
    name,
    parameters: withSession(declared.parameters),
    result,
    async handle(parts, context, parameters: Static<ReturnType<typeof withSession<P>>>) {
      return await handle(await sessionCall(parts, context, sessionIdOf(parameters)), parameters);
    },
  });
}

function withSession<P extends Readonly<Record<string, TSchema>>>(parameters: P) {
  return Type.Object({ sessionId: SessionId, ...parameters }, closed);
}

function sessionIdOf(parameters: object): string {
  return "sessionId" in parameters && typeof parameters.sessionId === "string" ? parameters.sessionId : "";
}

async function sessionCall(
  parts: SessionServiceParts,
  { ctx, take }: CallContext,
  sessionId: string,
): Promise<SessionCall> {
  const id = sessionId.toLowerCase();
  const record = await parts.sessions.use(id);
  if (record === undefined) throw sessionNotFound(sessionId, 404);
  const changeSession: SessionCall["changeSession"] = async (make) => {
    const holder = holderOf(ctx);
    if (!parts.changes.take(holder, 1))
      throw overloaded("Too many changes of sessions are waiting. Try again.");
    try {
      const changed = await parts.sessions.change(id, make, take);
      if (changed === undefined) throw sessionNotFound(sessionId, 404);
    } finally {
      parts.changes.give(holder, 1);
    }
  };
  return {
    parts,
    ctx,
    take,
    record,
    async project() {
      const project = await parts.projects.of(record);
      if (project === undefined) throw sessionNotFound(sessionId, 404);
      return project;
    },
    changeSession,
    change: (make) => changeSession((project) => ({ project: make(project) })),
    async replace<M extends { project: ProjectDocument }>(make: (project: ProjectDocument) => M): Promise<M> {
      let made: M | undefined;
      await changeSession((before) => {
        made = make(before);
        return { project: made.project };
      });
      if (made === undefined) throw new Error("The session was changed by nothing.");
      return made;
    },
  };
}

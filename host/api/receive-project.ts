import { readFile, stat } from "node:fs/promises";
import { badRequest, ProjectDocument, Type } from "@slipway/sdk";
import type { Configuration } from "../configuration/configuration.js";
import { readBytes } from "../http/body-reader.js";
import { type MultipartBody, withMultipart } from "../http/koa-body-adapter.js";
import type { RequestContext } from "../http/request-state.js";
import { FairShare, holderOf } from "../security/fair-share.js";
import type { IncomingProject } from "../sessions/sessions.js";
import { overloaded } from "../system/request-errors.js";

type Take = (bytes: number) => void;

export interface ReceiveOptions {
  /** Folder for incoming uploads. */
  folder: string;
  /** Maximum bytes of one project. */
  limit: () => number;
  memory: UploadMemory;
  /** Called with the length of a body in bytes, where it is known, before it is received. */
  expect(bytes: number): void;
}

/**
 * Memory for uploads, as a multiple of the project limit: four of the largest at a time, or hundreds of typical ones;
 * the rest is reserved for other clients.
 */
const projectsInMemory = 4.5;

/** How all projects of a host are received. */
export function receivedProjects(
  configuration: Pick<Configuration, "limits">,
  others: Pick<ReceiveOptions, "folder" | "expect">,
): ReceiveOptions {
  const limit = (): number => configuration.limits.project;
  return { ...others, limit, memory: new UploadMemory(() => projectsInMemory * limit()) };
}

/** Accepted bodies: project media types or a form. */
export const projectUpload = {
  "application/json": Type.Union([
    ProjectDocument,
    Type.Object(
      { locale: Type.Optional(Type.String()), project: ProjectDocument },
      { additionalProperties: false },
    ),
  ]),
  "application/zip": undefined,
  "application/xml": undefined,
  "application/pdf": undefined,
  "multipart/form-data": Type.Object({
    project: Type.String({ format: "binary", description: "A file, or a text field with a JSON project." }),
    locale: Type.Optional(Type.String()),
  }),
};

/**
 * Passes the project of a request to `use`: the raw body, or a file (or the text field `project`) of a form. Its memory
 * is released when `use` ends.
 */
export function withProject<T>(
  ctx: RequestContext,
  options: ReceiveOptions,
  locale: string | undefined,
  use: (project: IncomingProject) => Promise<T>,
): Promise<T> {
  return options.memory.during(ctx, async (take) => use(await receiveProject(ctx, options, locale, take)));
}

async function receiveProject(
  ctx: RequestContext,
  options: ReceiveOptions,
  locale: string | undefined,
  take: Take,
): Promise<IncomingProject> {
  options.expect(ctx.request.length ?? 0);
  if (ctx.is("multipart/form-data")) {
    const { folder } = options;
    return withMultipart(ctx, { folder, limit: options.limit() }, (body) =>
      projectOfForm(body, locale, take),
    );
  }
  const bytes = await readBytes(ctx.req, options.limit(), take, ctx.state.abort.signal);
  return { bytes, mediaType: ctx.request.type.toLowerCase(), filename: "", locale };
}

async function projectOfForm(
  body: MultipartBody,
  locale: string | undefined,
  take: Take,
): Promise<IncomingProject> {
  const [file, another] = body.files;
  const text = body.fields["project"];
  if (another !== undefined || (file !== undefined && text !== undefined)) {
    throw badRequest({ message: "The form has several projects; send one file `project`." }, [
      { path: "project", expected: "one file", received: "several" },
    ]);
  }
  const named = locale ?? body.fields["locale"];
  if (file !== undefined) {
    take((await stat(file.path)).size);
    const bytes = await readFile(file.path);
    return { bytes, mediaType: file.mediaType, filename: file.filename, locale: named };
  }
  if (text === undefined) {
    const expected = "a file, or a text field with a JSON project";
    const message = "The form has no project; send a file `project`, or a text field with a JSON project.";
    throw badRequest({ message }, [{ path: "project", expected, received: "nothing" }]);
  }
  return { bytes: Buffer.from(text), mediaType: "application/json", filename: "", locale: named };
}

/** Limits the memory of all projects being uploaded and opened, with fair shares per client. */
export class UploadMemory {
  private readonly share: FairShare;

  constructor(maximumBytes: () => number) {
    this.share = new FairShare(maximumBytes);
  }

  /**
   * Runs a task that reserves memory in steps and releases all of it at its end. `take` throws 503 `request-overloaded`
   * when the client's share is used up.
   */
  async during<T>(ctx: RequestContext, task: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    const holder = holderOf(ctx);
    let taken = 0;
    const take = (bytes: number): void => {
      if (!this.share.take(holder, bytes))
        throw overloaded("Too many projects are being opened at the moment. Try again.", 5);
      taken += bytes;
    };
    try {
      return await task(take);
    } finally {
      this.share.give(holder, taken);
    }
  }
}

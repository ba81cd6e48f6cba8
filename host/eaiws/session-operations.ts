/** Operations of the service `Session`: open, keep, load, save and close. */
import { badRequest, documentFileStem, parseLocale, SessionId, shownValue, Type } from "@slipway/sdk";
import { artifactUrl, sessionNotFound } from "@slipway/sdk/runtime/host";
import { baseUrl } from "../http/request-state.js";
import { emptyProject, openEmptySession } from "./empty-project.js";
import { closed, NoResult, type SessionCall, sessionOperation, soapOperation } from "./soap-operation.js";
import { closeSession, fileSuffix, readUploaded, uploadUrl } from "./uploads.js";

/** Arguments of a new session; all but the locale select product data, which this host does not have. */
const sessionArguments = ["-startup", "-package-groups", "-user-token", "-locale", "-domain"];

const off = Type.Optional(Type.Literal(false));
const Suffix = Type.Optional(Type.String({ maxLength: 200 }));

export const sessionOperations = [
  soapOperation({
    name: "openSession",
    parameters: Type.Object(
      {
        args: Type.Optional(
          Type.Array(
            Type.Object(
              { first: Type.Enum(sessionArguments), second: Type.String({ maxLength: 100_000 }) },
              closed,
            ),
          ),
        ),
      },
      closed,
    ),
    result: SessionId,
    async handle(parts, { ctx }, { args = [] }) {
      const locale = args.find(({ first }) => first === "-locale")?.second;
      return (await openEmptySession(parts, ctx, { locale })).id;
    },
  }),
  sessionOperation({
    name: "closeSession",
    parameters: {},
    result: NoResult,
    async handle({ parts, record }) {
      await closeSession(parts, record.id);
    },
  }),
  // A client calls this by a timer, and waits for no answer: an error would end its program.
  soapOperation({
    name: "keepAlive",
    parameters: Type.Object({ sessionId: SessionId }, closed),
    result: Type.Boolean(),
    handle: async ({ sessions }, _ctx, { sessionId }) =>
      (await sessions.use(sessionId.toLowerCase())) !== undefined,
  }),
  sessionOperation({
    name: "getLocale",
    parameters: { withTimeZone: off },
    result: Type.String(),
    handle: ({ record }) => record.locale,
  }),
  sessionOperation({
    name: "setLocale",
    parameters: { name: Type.String() },
    result: NoResult,
    async handle(call, { name }) {
      if (parseLocale(name) === undefined)
        throw badRequest("The parameters of setLocale are not valid", [
          { path: "setLocale.name", expected: 'a locale such as "de_DE"', received: shownValue(name) },
        ]);
      await call.changeSession(() => ({ locale: name }));
    },
  }),
  sessionOperation({
    name: "getUploadURL",
    parameters: { fileType: Type.Enum(["Project", "CutBuffer", "Import"]), suffix: Suffix },
    result: Type.String(),
    async handle({ ctx, parts, record }, { fileType, suffix }) {
      const base = baseUrl(ctx, parts.configuration.publicUrl);
      const url = await uploadUrl(parts, base, record.id, fileSuffix(fileType, suffix));
      if (url === undefined) throw sessionNotFound(record.id, 404);
      return url;
    },
  }),
  sessionOperation({
    name: "loadSession",
    parameters: {
      uri: Type.String({ maxLength: 4000 }),
      options: Type.Optional(Type.Object({ suffix: Suffix, assignNewProjectId: off }, closed)),
    },
    result: Type.String(),
    handle: (call, { uri, options }) => load(call, uri, options?.suffix),
  }),
  sessionOperation({
    name: "loadEmptySession",
    parameters: {},
    result: NoResult,
    async handle(call) {
      await call.change(({ settings }) => emptyProject(call.record.locale, settings.currency));
    },
  }),
  sessionOperation({
    name: "saveSession",
    parameters: {
      uri: Type.Optional(Type.Literal("")),
      options: Type.Optional(
        Type.Object(
          {
            suffix: Suffix,
            overwrite: Type.Optional(Type.Boolean()),
            generateImages: Type.Optional(Type.Boolean()),
            omitPriceData: off,
            saveCalculations: Type.Optional(Type.Boolean()),
            saveLegacyCalculation: off,
            export: Type.Optional(Type.Boolean()),
          },
          closed,
        ),
      ),
    },
    result: Type.String(),
    async handle({ ctx, parts, record, project }) {
      const base = baseUrl(ctx, parts.configuration.publicUrl);
      const known = await parts.projects.savedFile(record, parts.artifacts);
      if (known !== undefined) return artifactUrl(base, known);
      const content = await parts.sessions.file(record, { format: "obk" });
      if (content === undefined) throw sessionNotFound(record.id, 404);
      const stem = documentFileStem({
        project: await project(),
        requested: undefined,
        extension: "obk",
        fallback: "Project",
        now: new Date(),
      });
      const artifact = await parts.artifacts.create({
        name: `${stem}.obk`,
        mediaType: "application/octet-stream",
        content,
      });
      parts.projects.rememberFile(record, artifact);
      return artifactUrl(base, artifact);
    },
  }),
];

/** Replaces the project of a session by an uploaded or saved file; returns the id of the project. */
async function load(
  { parts, record, take }: SessionCall,
  uri: string,
  suffix: string | undefined,
): Promise<string> {
  const file = await readUploaded(parts, uri, take);
  const opened = await parts.sessions.replace(record.id, {
    bytes: file.bytes,
    mediaType: "application/octet-stream",
    filename: suffix === undefined ? file.name : `project${suffix}`,
    locale: undefined,
  });
  if (opened === undefined) throw sessionNotFound(record.id, 404);
  return opened.record.summary.id;
}

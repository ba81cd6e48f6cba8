import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { checked, describe, type Static, shownValue, Type, Validator } from "@slipway/sdk";
import { folderProblem, globProblem, isIgnored } from "@slipway/sdk/runtime/host";
import semver from "semver";
import { errorMessage, Rejection } from "../../system/errors.js";
import { hostCheck } from "../../system/host-check.js";
import { Permissions } from "../permissions/permissions.js";
import { largestDescription, readPluginFile } from "../plugin-files.js";

const PublicName = Type.String({ pattern: "^[A-Za-z][A-Za-z0-9.-]{0,63}$" });

/** A request that the host itself sends to an instance before it serves. */
export const StartRequest = Type.Object(
  {
    method: Type.Enum(["GET", "POST", "PUT", "DELETE"], { default: "GET" }),
    path: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'Below the plugin\'s base, with its query, such as "templates.json?locale=en".',
    }),
    body: Type.Optional(Type.Unknown({ description: "JSON value of the body." })),
    session: Type.Optional(
      Type.Boolean({
        description:
          "Adds the id of a session with a small project of the host, as `sessionId`: to the query of GET and DELETE, else to the body. Default: false.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type StartRequest = Static<typeof StartRequest>;

/** The members of a plugin's package.json that the host uses; others are ignored. */
export const Manifest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 214 }),
  version: Type.String({ maxLength: 100 }),
  type: Type.Optional(
    Type.Enum(["module", "commonjs"], {
      description: "As Node.js reads it. The bundle is an ES module in any case.",
    }),
  ),
  engines: Type.Object({
    slipway: Type.String({ description: "Range of the SDK that the plugin was built for." }),
  }),
  slipway: Type.Object(
    {
      plugin: PublicName,
      aliases: Type.Array(PublicName, { default: [], maxItems: 20 }),
      entry: Type.String({
        minLength: 1,
        description: "TypeScript or JavaScript, inside the plugin's folder.",
      }),
      config: Type.Optional(
        Type.String({ minLength: 1, description: "JSON file with the default configuration." }),
      ),
      assets: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 100,
          description:
            "Globs of the files that the plugin brings besides its code, relative to its folder: `*` and `?` within a name, `**` for any folders.",
        }),
      ),
      templates: Type.Optional(
        Type.String({
          description: "The folder of the report templates that the plugin brings; its files are assets.",
        }),
      ),
      permissions: Type.Optional(Permissions),
      smoke: Type.Array(StartRequest, {
        default: [],
        maxItems: 20,
        description: "Requests that have to succeed before a version goes live.",
      }),
      warmUp: Type.Optional(
        Type.Array(StartRequest, {
          maxItems: 20,
          description:
            "Requests after those, so that the first ones of clients take no longer than others; they may fail.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
});
export type Manifest = Static<typeof Manifest>;

export const manifestName = "package.json";

const check = hostCheck<typeof Manifest>(manifestName, "manifest");

/** The content of a plugin's package.json. Throws a `Rejection` when there is none. */
export async function readPackage(folder: string): Promise<Buffer> {
  return await readPluginFile(folder, manifestName, largestDescription).catch(async (error: unknown) => {
    const isThere = error instanceof Rejection && error.cause === undefined;
    if (isThere) throw error;
    const below = await folderWithManifest(folder);
    const place = below === undefined ? "" : `, but in its folder ${shownValue(below)}; move that one here`;
    throw new Rejection(`there is no readable package.json in the folder${place}`, { cause: error });
  });
}

/** Name of a folder one level down that could be the plugin: archives are often unpacked into a folder more. */
async function folderWithManifest(folder: string): Promise<string | undefined> {
  const members = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = members.filter((each) => each.isDirectory() && !isIgnored(each.name)).map(({ name }) => name);
  return names.sort().find((name) => existsSync(join(folder, name, manifestName)));
}

/** The manifest in a package.json. Throws a `Rejection` that lists all problems. */
export function parseManifest(content: Buffer, sdkVersion: string): Manifest {
  const result = check(parse(content));
  if (!result.ok) throw new Rejection(result.violations.map(describe).join("; "));
  const manifest = result.value;
  const problems = [
    ...versionProblems(manifest, sdkVersion),
    ...pathProblems(manifest),
    ...globProblems(manifest),
  ];
  if (problems.length > 0) throw new Rejection(problems.join("; "));
  return manifest;
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch (error) {
    throw new Rejection(`package.json is not valid JSON: ${errorMessage(error)}`);
  }
}

function* versionProblems({ version, engines }: Manifest, sdkVersion: string): Generator<string> {
  const problem = versionProblem(version);
  if (problem !== undefined) yield problem;
  if (semver.validRange(engines.slipway) === null) {
    yield describe({
      path: "package.json.engines.slipway",
      expected: 'a range such as "^1.0.0"',
      received: shownValue(engines.slipway),
    });
    return;
  }
  const mismatch = sdkMismatch(engines.slipway, sdkVersion);
  if (mismatch !== undefined) yield mismatch;
}

/**
 * What is wrong with a version, with a remedy. Build metadata is refused: its versions have no order (Semantic Versioning 2.0.0,
 * section 10), so no host could choose between two of them, nor a rollback name one.
 */
function versionProblem(version: string): string | undefined {
  if (semver.valid(version) === version) return undefined;
  const expectation = (expected: string): string =>
    describe({ path: "package.json.version", expected, received: shownValue(version) });
  const plus = version.indexOf("+");
  const core = version.slice(0, plus);
  if (plus > 0 && semver.valid(core) === core) {
    const next = semver.inc(core, semver.prerelease(core) === null ? "patch" : "prerelease");
    const named = `${core}${core.includes("-") ? "." : "-"}${version.slice(plus + 1)}`;
    const remedies = [next, named].filter((each) => each !== null && semver.valid(each) === each);
    const proposal = remedies.map((each) => JSON.stringify(each)).join(", or the prerelease ");
    return `${expectation("a version without build metadata, which has no order")}; use ${proposal}`;
  }
  const meant = semver.clean(isShort(version) ? (semver.coerce(version)?.version ?? "") : version, {
    loose: true,
  });
  return expectation(meant === null ? 'a version such as "1.0.0" or "1.1.0-beta.1"' : JSON.stringify(meant));
}

/** Whether a version lacks its last numbers, as "1.0" does. */
function isShort(version: string): boolean {
  return semver.valid(`${version}.0`) !== null || semver.valid(`${version}.0.0`) !== null;
}

function* pathProblems({ slipway }: Manifest): Generator<string> {
  for (const member of ["entry", "config"] as const) {
    const path = slipway[member];
    if (path !== undefined && !isInside(path)) {
      yield describe({
        path: `package.json.slipway.${member}`,
        expected: "a relative path inside the folder",
        received: shownValue(path),
      });
    }
  }
}

function* globProblems({ slipway: { assets = [], templates } }: Manifest): Generator<string> {
  for (const [index, glob] of assets.entries()) {
    const problem = globProblem(glob);
    if (problem !== undefined)
      yield `package.json.slipway.assets[${index}]: the glob ${shownValue(glob)} ${problem}`;
  }
  const problem = templates === undefined ? undefined : folderProblem(templates);
  if (problem !== undefined)
    yield `package.json.slipway.templates: the folder ${shownValue(templates)} ${problem}`;
}

function isInside(path: string): boolean {
  return !path.includes("\\") && !path.startsWith("/") && !path.split("/").includes("..");
}

/**
 * Why a plugin built for the SDK versions `range` (`engines.slipway`, a valid range) must not run on `sdkVersion`: a
 * sentence with a remedy. Undefined when it may run. Prereleases follow semver order: 1.2.0-beta.1 is lower than 1.2.0
 * and higher than 1.1.0.
 */
export function sdkMismatch(range: string, sdkVersion: string): string | undefined {
  const options = { includePrerelease: true };
  if (semver.satisfies(sdkVersion, range, options)) return undefined;
  const [relation, remedy] = semver.ltr(sdkVersion, range, options)
    ? [", which is older", "update the host, or take an older version of the plugin"]
    : semver.gtr(sdkVersion, range, options)
      ? [", which is newer", "take a newer version of the plugin"]
      : ["", "take another version of the plugin"];
  return `the plugin was built for Slipway ${range} (engines.slipway), this host has ${sdkVersion}${relation}: ${remedy}`;
}

/** Descriptive members of a plugin's package.json. */
export const PluginDescription = Type.Object({
  description: Type.Optional(Type.String()),
  license: Type.Optional(Type.String()),
});
export type PluginDescription = Static<typeof PluginDescription>;

const checkDescription = new Validator({ lazy: true }).compile(PluginDescription, "package.json");

/** Reads the description from a package.json that is a valid manifest. */
export function pluginDescription(content: Buffer): PluginDescription {
  const { description, license } = checked(
    checkDescription(JSON.parse(content.toString("utf8"))),
    "The package.json",
  );
  return {
    ...(description === undefined ? {} : { description }),
    ...(license === undefined ? {} : { license }),
  };
}

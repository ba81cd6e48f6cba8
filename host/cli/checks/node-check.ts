/** Checks the version of Node.js: whether Slipway runs with it, and whether it still gets security updates. */
import semver from "semver";
import { requiredNode } from "../../system/installation.js";
import { type Check, hint, right, wrong } from "./check.js";

/** The last day of maintenance of each major version, from https://github.com/nodejs/release. */
const maintainedUntil = new Map([
  [20, "2026-04-30"],
  [21, "2024-06-01"],
  [22, "2027-04-30"],
  [23, "2025-06-01"],
  [24, "2028-04-30"],
  [25, "2026-06-01"],
  [26, "2029-04-30"],
]);

/** The versions that all tests run with, besides 20. */
const recommended = [22, 24, 26];

/** Suggests another version for an old one or one newer than this Slipway; fails for one that cannot work. */
export function nodeCheck(version = process.versions.node, now = new Date()): Check {
  const name = "node";
  if (!semver.satisfies(version, requiredNode))
    return wrong(name, `this is Node.js ${version}; install one that is ${requiredNode}`);
  const major = semver.major(version);
  const end = maintainedUntil.get(major);
  if (end === undefined)
    return hint(
      name,
      `Node.js ${version} is newer than this Slipway, which is tested with 20, 22, 24 and 26`,
    );
  if (isMaintained(end, now)) return right(name, `Node.js ${version}`);
  return hint(name, `Node.js ${version} has had no maintenance since ${end}; ${advice(now)}${goesOn(major)}`);
}

function isMaintained(end: string, now: Date): boolean {
  return now.toISOString().slice(0, 10) <= end;
}

function advice(now: Date): string {
  const good = recommended.filter((major) => isMaintained(maintainedUntil.get(major) ?? "", now));
  const last = good.pop();
  if (last === undefined) return "use a newer one, with a newer Slipway";
  return `use ${good.length === 0 ? last : `${good.join(", ")} or ${last}`}`;
}

/** Until when Slipway supports a version without updates. */
function goesOn(major: number): string {
  return major === 20 ? ". Slipway runs with it until its next major version" : "";
}

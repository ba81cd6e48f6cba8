import { editDistance } from "../edit-distance.js";
import { declaredSettings } from "./setting-keys.js";

/** More than so many mistyped characters mean something else. */
const mostMistyped = 3;

/** The setting that a key which is none is most like: "sessions.lifetime" for "sesions.lifetime" or "lifetimes". */
export function similarSetting(key: string): string | undefined {
  const keys = declaredSettings.map((each) => each.key);
  const last = key.split(".").at(-1) ?? key;
  return nearest(key, keys) ?? nearest(last, keys, (each) => each.split(".").at(-1) ?? each);
}

/** The same for environment variables without their prefix: "SESSIONS__LIFETIME" for "SESSIONS__LIVETIME". */
export function similarVariable(name: string): string | undefined {
  return nearest(
    name.toUpperCase(),
    declaredSettings.map(({ key }) => variableOf(key)),
  );
}

/** Such as "SESSIONS__LIFETIME". */
function variableOf(key: string): string {
  return key
    .split(".")
    .map((part) => part.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase())
    .join("__");
}

function nearest(
  name: string,
  candidates: readonly string[],
  compared = (candidate: string): string => candidate,
): string | undefined {
  const allowed = Math.min(mostMistyped, Math.floor(name.length / 3));
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), compared(candidate).toLowerCase());
    if (distance <= allowed && (best === undefined || distance < best.distance))
      best = { candidate, distance };
  }
  return best?.candidate;
}

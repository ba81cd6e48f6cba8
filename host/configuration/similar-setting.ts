import { similarName } from "@slipway/sdk";
import { declaredSettings } from "./setting-keys.js";

/** The setting that a key which is none is most like: "sessions.lifetime" for "sesions.lifetime" or "lifetimes". */
export function similarSetting(key: string): string | undefined {
  const keys = declaredSettings.map((each) => each.key);
  const last = key.split(".").at(-1) ?? key;
  const byLast = new Map(keys.toReversed().map((each) => [each.split(".").at(-1) ?? each, each]));
  return similarName(key, keys) ?? byLast.get(similarName(last, byLast.keys()) ?? "");
}

/** The same for environment variables without their prefix: "SESSIONS__LIFETIME" for "SESSIONS__LIVETIME". */
export function similarVariable(name: string): string | undefined {
  return similarName(
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

import semver from "semver";

/** A plugin as others ask for it. */
export interface WantedPlugin {
  /** Or an alias. */
  name: string;
  /** Of versions; "*" where none was named. */
  range: string;
}

/** Reads what `host.service` takes, such as "Reporter@^1.0.0" or "Reporter"; undefined when it is neither. */
export function wantedPlugin(text: string): WantedPlugin | undefined {
  const [, name = "", range = "*"] = /^([^@]*)(?:@(.*))?$/s.exec(text) ?? [];
  return name === "" || semver.validRange(range) === null ? undefined : { name, range };
}

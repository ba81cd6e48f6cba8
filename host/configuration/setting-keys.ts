import { Configuration } from "./configuration.js";
import { isSettings } from "./settings-source.js";

/** A setting, or a group of settings, as the schema declares it. */
export interface DeclaredSetting {
  /** Such as "sessions.lifetime". */
  key: string;
  schema: Readonly<Record<string, unknown>>;
  /** Holds further settings; where names are free, as those of releases are, the setting is one as a whole. */
  isGroup: boolean;
}

/** All settings and groups of settings, in the order of the schema, groups before what they hold. */
export const declaredSettings: readonly DeclaredSetting[] = below("", Configuration);

function below(key: string, schema: unknown): DeclaredSetting[] {
  if (!isSettings(schema)) return [];
  const members = schema["properties"];
  const own = key === "" ? [] : [{ key, schema, isGroup: isSettings(members) }];
  if (!isSettings(members)) return own;
  const inner = Object.entries(members).flatMap(([name, member]) =>
    below(key === "" ? name : `${key}.${name}`, member),
  );
  return [...own, ...inner];
}

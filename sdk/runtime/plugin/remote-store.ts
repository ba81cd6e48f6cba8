import type { Store } from "../../plugin/store.js";
import { describe } from "../../schema/violation.js";
import { pluginMistake } from "../calls/request-errors.js";
import { fromHost, type HostLink } from "./host-link.js";
import { resultText } from "./result-text.js";
import type { SchemaChecks } from "./schema-checks.js";

/** The plugin's view of its stored values. */
export function remoteStore(link: HostLink, checks: SchemaChecks): Store {
  return {
    get: async (key, schema) => {
      const { values, parts } = await link.call("store.get", { key });
      const [text] = parts;
      if (text === undefined) return undefined;
      const checked = checks.of(schema)(JSON.parse(text.toString("utf8")));
      if (checked.ok) return { value: checked.value, revision: String(values["revision"]) };
      throw pluginMistake(
        `host.store: "${key}" does not fit the schema: ${checked.violations.map(describe).join("; ")}`,
      );
    },
    set: async (key, value, expected) => {
      const text = resultText(`host.store: "${key}"`, value, undefined, "response");
      if (text === undefined) throw pluginMistake(`host.store: "${key}" is no JSON value.`);
      const { values } = await link.call("store.set", { key, ...wanted(expected) }, [text]);
      return { revision: String(values["revision"]) };
    },
    delete: async (key, expected) => {
      const { values } = await link.call("store.delete", { key, ...wanted(expected) });
      return values["there"] === true;
    },
    keys: async (beginning = "") => fromHost<string[]>(await link.call("store.keys", { beginning })),
  };
}

function wanted(expected: { revision?: string | null } | undefined): { expected?: string | null } {
  return expected?.revision === undefined ? {} : { expected: expected.revision };
}

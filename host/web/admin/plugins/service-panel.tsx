import type { PluginService } from "../../client/operations.js";
import type { Answered } from "../../client/use-answer.js";
import { Failure } from "../../parts/notice.js";
import { Panel } from "../../parts/panel.js";
import { SchemaTable } from "../../parts/schema-table.js";
import { counted, listed } from "../../parts/shown-values.js";

const sessionWords = {
  required: "needs a session",
  optional: "takes a session",
  none: "no session",
} as const;

interface ServicePanelParameters {
  plugin: string;
  /** The services of all plugins. */
  answer: Answered<{ services: PluginService[] }>;
}

/** The service methods of the serving versions of a plugin, each with expandable schemas. */
export function ServicePanel({ plugin, answer }: ServicePanelParameters) {
  const { value, failure } = answer;
  if (value === undefined) return failure === undefined ? null : <Failure error={failure} />;
  const services = value.services.filter((each) => each.plugin === plugin);
  if (services.length === 0) return null;
  const versions = [...new Set(services.map(({ version }) => version))];
  return (
    <Panel title="Services" aside={<span class="quiet">{counted(services.length, "method")}</span>} isFlush>
      <ul class="services">
        {services.map((each) => (
          <li key={`${each.version} ${each.service} ${each.method}`}>
            <ServiceMethod method={each} isAlone={versions.length === 1} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `isAlone`: there is one version only, so its number is omitted. */
function ServiceMethod({ method: told, isAlone }: { method: PluginService; isAlone: boolean }) {
  const { service, method, summary, session, version, releases, input, output } = told;
  return (
    <details>
      <summary>
        <code>
          {service}.{method}
        </code>{" "}
        {summary}{" "}
        <span class="quiet">
          {sessionWords[session]}
          {!isAlone && ` · ${version} in ${listed(releases)}`}
        </span>
      </summary>
      <ServiceSchema name="Input" schema={input} />
      <ServiceSchema name="Output" schema={output} />
    </details>
  );
}

function ServiceSchema({ name, schema }: { name: string; schema: PluginService["input"] }) {
  return (
    <section>
      <h3>{name}</h3>
      {schema === undefined ? (
        <p class="quiet">{name === "Input" ? "It takes none." : "It is not described."}</p>
      ) : (
        <SchemaTable schema={schema} caption={`Members of the ${name.toLowerCase()}`} />
      )}
    </section>
  );
}

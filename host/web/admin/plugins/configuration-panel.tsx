import { useEffect, useRef, useState } from "preact/hooks";
import { useHost, useMay } from "../../client/host-context.js";
import type { PluginConfiguration, PluginOverview } from "../../client/operations.js";
import { RefusedRequest } from "../../client/refusal.js";
import { useAnswer } from "../../client/use-answer.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { Failure, Notice, usePrevented } from "../../parts/notice.js";
import { Panel } from "../../parts/panel.js";
import { membersOf } from "../../parts/schema.js";
import {
  type Changes,
  FormContext,
  type FormState,
  type Violation,
  violationsIn,
  withoutValue,
  withValue,
} from "../../parts/schema-form/form-state.js";
import { entrySchema, Member, Members } from "../../parts/schema-form/member.js";
import { listed } from "../../parts/shown-values.js";
import { toastSuccess } from "../../parts/toasts.js";

/** The configuration of a plugin as a form. `event` changes when the configuration may have changed. */
export function ConfigurationPanel({ overview, event }: { overview: PluginOverview; event: unknown }) {
  const may = useMay("operate");
  const prevented = usePrevented("operate");
  // Other plugins have no known schema, and browsers log a refused request as an error.
  const isKnown = overview.versions.some(({ stage }) => stage === "live" || stage === "failed");
  const { value, failure, refresh } = useAnswer(
    may && isKnown ? "GET /api/plugins/:plugin/configuration" : undefined,
    { params: { plugin: overview.name } },
  );
  useEffect(() => {
    if (event !== undefined) refresh();
  }, [event]);
  if (!may)
    return (
      <Panel title="Configuration">
        <p class="quiet">{prevented}</p>
      </Panel>
    );
  if (value === undefined)
    return failure === undefined ? null : (
      <Panel title="Configuration">
        <Failure error={failure} />
      </Panel>
    );
  return <ConfigurationForm latest={value} overview={overview} refresh={refresh} />;
}

function ConfigurationForm(properties: {
  latest: PluginConfiguration;
  overview: PluginOverview;
  refresh(): void;
}) {
  const { latest, overview, refresh } = properties;
  const [given, setGiven] = useState(latest);
  const [changes, setChanges] = useState<Changes>(latest.saved);
  const [violations, setViolations] = useState<readonly Violation[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isRefused = useRef(false);
  const isDirty = JSON.stringify(changes) !== JSON.stringify(given.saved);
  const isOutdated = latest.revision !== given.revision || latest.version !== given.version;

  const take = (configuration: PluginConfiguration): void => {
    setGiven(configuration);
    setChanges(configuration.saved);
    setViolations([]);
  };
  useEffect(() => {
    if (!isDirty && latest.revision >= given.revision) take(latest);
  }, [latest]);
  useEffect(() => {
    // By now, the dialog has restored the focus.
    if (isAsking || !isRefused.current) return;
    isRefused.current = false;
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find('[aria-invalid="true"]') ?? find("[data-wrong] :is(input, button)"))?.focus();
  }, [isAsking]);

  const state: FormState = {
    given,
    isTechnical: true,
    changes,
    violations,
    prevented: overview.disabled ? "The plugin is disabled." : undefined,
    change: (path, value) => setChanges((before) => withValue(before, path, value)),
    reset: (path) => setChanges((before) => withoutValue(before, path)),
  };
  const nothing = membersOf(given.schema, given.schema) === undefined;
  const entry = entrySchema(given.schema, given.schema);
  if (nothing && entry === undefined)
    return (
      <Panel title="Configuration">
        <p class="quiet">Version {given.version} declares no configuration.</p>
      </Panel>
    );
  return (
    <Panel title="Configuration" aside={<span class="quiet">of version {given.version}</span>}>
      <FormContext.Provider value={state}>
        <form
          ref={form}
          class="configuration"
          autocomplete="off"
          onSubmit={(submitted) => {
            submitted.preventDefault();
            if (isDirty && state.prevented === undefined) setIsAsking(true);
          }}
        >
          {isOutdated && isDirty && (
            <Notice tone="warning">
              <p>The configuration has changed in the meantime; your changes cannot be saved.</p>
              <Button act={() => take(latest)}>Discard my changes</Button>
            </Notice>
          )}
          {violations.length > 0 && (
            <Notice tone="wrong">
              <p>Nothing was saved.</p>
              {violations.map(({ path, expected }) => (
                <p key={path}>
                  <code>{path.replace(/^config\.?/, "") || "The configuration"}</code>: expected {expected}
                </p>
              ))}
            </Notice>
          )}
          {nothing ? (
            <Member path={[]} name="Entries" schema={given.schema} />
          ) : (
            <Members path={[]} schema={given.schema} />
          )}
          <footer class="actions">
            <button
              type="submit"
              class="button"
              data-kind="main"
              aria-disabled={!isDirty || state.prevented !== undefined || undefined}
              title={state.prevented ?? (isDirty ? undefined : "Nothing is changed.")}
            >
              Save …
            </button>
            <Button prevented={isDirty ? undefined : "Nothing is changed."} act={() => take(latest)}>
              Discard
            </Button>
            {state.prevented !== undefined && <p class="quiet">{state.prevented}</p>}
          </footer>
        </form>
      </FormContext.Provider>
      {isAsking && (
        <SaveDialog
          overview={overview}
          revision={given.revision}
          changes={changes}
          saved={take}
          refused={(found) => {
            isRefused.current = true;
            setViolations(found);
          }}
          close={() => {
            setIsAsking(false);
            refresh();
          }}
        />
      )}
    </Panel>
  );
}

/** Asks for confirmation before a plugin restarts with other settings. */
function SaveDialog(properties: {
  overview: PluginOverview;
  revision: number;
  changes: Changes;
  saved(configuration: PluginConfiguration): void;
  refused(violations: readonly Violation[]): void;
  close(): void;
}) {
  const { overview, revision, changes, saved, refused, close } = properties;
  const host = useHost();
  const { name } = overview;
  const releases = Object.keys(overview.releases);
  const act = async (): Promise<void> => {
    try {
      const body = { revision, configuration: { ...changes } };
      const input = { params: { plugin: name }, body };
      saved(await host.call("PUT /api/plugins/:plugin/configuration", input));
      toastSuccess(`The configuration of ${name} is in force.`);
    } catch (error) {
      const found = error instanceof RefusedRequest ? violationsIn(error.error.additionalInformation) : [];
      if (found.length === 0) throw error;
      refused(found);
    }
  };
  return (
    <Confirmation title={`Save the configuration of ${name}?`} action="Save" act={act} close={close}>
      <p>
        {releases.length > 0 ? (
          <>
            Clients of {releases.length === 1 ? "release" : "releases"} <strong>{listed(releases)}</strong>{" "}
            get answers with it, from the moment that a new process of {name} is up.
          </>
        ) : (
          <>The host tries to start {name} with it.</>
        )}
      </p>
      <p class="quiet">
        Requests that run are finished by the process that they began with; none is lost. If the plugin does
        not start with it, nothing changes.
      </p>
    </Confirmation>
  );
}

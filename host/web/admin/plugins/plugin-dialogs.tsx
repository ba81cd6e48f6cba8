import { useId, useState } from "preact/hooks";
import { useHost } from "../../client/host-context.js";
import type { PluginOverview } from "../../client/operations.js";
import { Confirmation } from "../../parts/dialog.js";
import { Options } from "../../parts/options.js";
import { listed } from "../../parts/shown-values.js";
import { toastSuccess } from "../../parts/toasts.js";

/** Asks for confirmation before it disables a plugin. */
export function DisableDialog({ overview, close }: { overview: PluginOverview; close(): void }) {
  const host = useHost();
  const { name, aliases } = overview;
  const releases = Object.keys(overview.releases);
  const act = async (): Promise<void> => {
    await host.call("POST /api/plugins/:plugin/disable", { params: { plugin: name } });
    toastSuccess(`${name} is disabled.`);
  };
  return (
    <Confirmation title={`Disable ${name}?`} action="Disable" kind="danger" act={act} close={close}>
      <p>
        {releases.length > 0 ? (
          <>
            Clients of {releases.length === 1 ? "release" : "releases"} <strong>{listed(releases)}</strong>{" "}
            that call <strong>{listed([name, ...aliases])}</strong> get 404 until it is enabled again.
          </>
        ) : (
          <>No release serves it until it is enabled again.</>
        )}{" "}
        Plugins that use its services will lose them.
      </p>
      <p class="quiet">
        Running requests finish. Its folder is kept, and it stays disabled across restarts of the host.
      </p>
    </Confirmation>
  );
}

/** Asks for confirmation before it enables a plugin, or one version. */
export function EnableDialog(properties: { name: string; version?: string; close(): void }) {
  const host = useHost();
  const { name, version, close } = properties;
  const label = version === undefined ? name : `${name} ${version}`;
  const act = async (): Promise<void> => {
    await host.call("POST /api/plugins/:plugin/enable", {
      params: { plugin: name },
      body: version === undefined ? {} : { version },
    });
    toastSuccess(`${label} is enabled.`);
  };
  return (
    <Confirmation title={`Enable ${label}?`} action="Enable" act={act} close={close}>
      <p>
        The host starts and tries {version === undefined ? "its newest fitting versions" : "this version"}{" "}
        again. A version that starts answers clients at once, in every release whose range it fits.
      </p>
      <p class="quiet">
        {version === undefined
          ? "Failed versions are retried as well; quarantined versions stay in quarantine."
          : "It replaces lower versions and is on probation. If it fails, it is quarantined again."}
      </p>
    </Confirmation>
  );
}

/** Asks which release to roll back, and to which version. */
export function RollbackDialog({ overview, close }: { overview: PluginOverview; close(): void }) {
  const host = useHost();
  const { name, releases } = overview;
  const [release, setRelease] = useState("");
  const [version, setVersion] = useState("");
  const [releaseId, versionId] = [useId(), useId()];
  const touched = release === "" ? Object.keys(releases) : [release];
  const choices = rollbackChoices(overview, touched);

  const act = async (): Promise<void> => {
    const body = { ...(release === "" ? {} : { release }), ...(version === "" ? {} : { version }) };
    const input = { params: { plugin: name }, body };
    const { rollbacks } = await host.call("POST /api/plugins/:plugin/rollback", input);
    toastSuccess(
      rollbacks.map((each) => `Release ${each.release} answers with ${name} ${each.to}.`).join(" "),
    );
  };
  return (
    <Confirmation title={`Roll back ${name}`} action="Roll back" kind="danger" act={act} close={close}>
      <div class="fields">
        <label for={releaseId}>Release</label>
        <select id={releaseId} value={release} onChange={(event) => setRelease(event.currentTarget.value)}>
          <option value="">All that serve this plugin</option>
          <Options of={Object.entries(releases).map(([each, now]) => [each, `${each}, now ${now}`])} />
        </select>
        <label for={versionId}>To version</label>
        <select id={versionId} value={version} onChange={(event) => setVersion(event.currentTarget.value)}>
          <option value="">The previous version</option>
          <Options of={choices.map((each) => [each, each])} />
        </select>
      </div>
      <p>
        Clients of {touched.length === 1 ? "release" : "releases"} <strong>{listed(touched)}</strong> get
        answers of{" "}
        <strong>{version === "" ? `the previous version of ${name}` : `${name} ${version}`}</strong> instead
        of {listed([...new Set(touched.map((each) => releases[each] ?? "nothing"))])}, from the moment it is
        up.
      </p>
      <p class="quiet">
        Requests that run are finished by the version that they began with; none is lost. It stays so, also
        over restarts, until a newer version is dropped. When the version does not start, everything stays as
        it is.
      </p>
    </Confirmation>
  );
}

/**
 * Versions for a rollback of the releases: kept ones, then those that run, without quarantined versions and the one that all
 * releases have now.
 */
function rollbackChoices(overview: PluginOverview, releases: readonly string[]): string[] {
  const { kept, versions, quarantined } = overview;
  const now = new Set(releases.map((release) => overview.releases[release]));
  const active = versions.filter(({ stage }) => stage === "standby" || stage === "live");
  const known = [...kept.map(({ version }) => version), ...active.flatMap(({ version }) => version ?? [])];
  const bad = new Set(quarantined.map(({ version }) => version));
  return [...new Set(known)].filter((version) => !bad.has(version) && (now.size > 1 || !now.has(version)));
}

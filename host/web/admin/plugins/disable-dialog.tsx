import type { PluginOverview } from "../../client/answers.js";
import { useHost } from "../../client/host-context.js";
import { Confirmation } from "../../parts/dialog.js";
import { listed } from "../../parts/shown-values.js";
import { sayDone } from "../../parts/toasts.js";

/** Asks before a plugin answers nobody any more. */
export function DisableDialog({ overview, close }: { overview: PluginOverview; close(): void }) {
  const host = useHost();
  const { name, aliases } = overview;
  const releases = Object.keys(overview.releases);
  const act = async (): Promise<void> => {
    await host.call("POST /api/plugins/:plugin/disable", { params: { plugin: name } });
    sayDone(`${name} is disabled.`);
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

/** Asks before a plugin, or one version of it, gets another chance. */
export function EnableDialog(properties: { name: string; version?: string; close(): void }) {
  const host = useHost();
  const { name, version, close } = properties;
  const label = version === undefined ? name : `${name} ${version}`;
  const act = async (): Promise<void> => {
    await host.call("POST /api/plugins/:plugin/enable", {
      params: { plugin: name },
      body: version === undefined ? {} : { version },
    });
    sayDone(`${label} is enabled.`);
  };
  return (
    <Confirmation title={`Enable ${label}?`} action="Enable" act={act} close={close}>
      <p>
        The host starts and tries {version === undefined ? "its newest fitting versions" : "this version"}{" "}
        again. What comes up answers clients at once, in every release whose range it fits.
      </p>
      <p class="quiet">
        {version === undefined
          ? "Failed versions are retried as well; quarantined versions stay in quarantine."
          : "It replaces lower versions and is on probation. If it fails, it is quarantined again."}
      </p>
    </Confirmation>
  );
}

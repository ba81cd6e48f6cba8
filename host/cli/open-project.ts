import { access, constants } from "node:fs/promises";
import type { Configuration } from "../configuration/configuration.js";
import { HostClient } from "./host-client.js";
import { endProgress, tellProgress } from "./progress.js";
import { showWarnings } from "./show-warnings.js";
import type { TemporaryHostOptions } from "./temporary-host.js";

/**
 * Opens a project file in a host that runs only as long as `use` takes, which gets a client and the id of the session, or
 * as long as the options say.
 * What opening warns of goes to standard error.
 */
export async function withOpenProject<T>(
  configuration: Configuration,
  file: string,
  locale: string | undefined,
  use: (client: HostClient, sessionId: string) => Promise<T>,
  options?: TemporaryHostOptions,
): Promise<T> {
  await access(file, constants.R_OK); // before a host is started for it
  tellProgress("Starting a host…");
  const { withTemporaryHost } = await import("./temporary-host.js");
  const { requireReady } = await import("./running-host.js");
  const done = withTemporaryHost(
    configuration,
    async (host) => {
      await requireReady(host);
      tellProgress(`Opening ${file}…`);
      const client = new HostClient(host.url);
      const { sessionId, warnings } = await client.openSession(file, locale);
      showWarnings(warnings.map(({ path, message }) => `WARN: ${path}: ${message}`));
      return use(client, sessionId);
    },
    options,
  );
  return done.finally(endProgress);
}

import { access, constants } from "node:fs/promises";
import { SessionList } from "../api/answers.js";
import type { Configuration } from "../configuration/configuration.js";
import { answerReader, HostClient } from "./host-client.js";
import { showWarnings } from "./shown-results.js";
import { endProgress, tellProgress } from "./standard-output.js";
import type { TemporaryHostOptions } from "./temporary-host.js";
import { wholeId } from "./whole-id.js";

const readSessions = answerReader(SessionList);

const whole = 36;

/** Sessions of a running host, for admins. */
export class SessionClient {
  constructor(private readonly host: HostClient) {}

  async list(): Promise<SessionList> {
    return readSessions(await this.host.json("/api/sessions"));
  }

  /** Closes one session, named by its id or a unique prefix; returns the id. */
  async close(beginning: string): Promise<string> {
    const list = async () => (await this.list()).sessions.map(({ sessionId }) => sessionId);
    const id = await wholeId(beginning.trim().toLowerCase(), { what: "session", whole, list });
    await this.host.done(`/api/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
    return id;
  }
}

/**
 * Opens a project file in a temporary host and calls `use` with a client and the session id. The host stops afterwards,
 * unless the options differ. Prints warnings to standard error.
 */
export async function withOpenProject<T>(
  configuration: Configuration,
  file: string,
  locale: string | undefined,
  use: (client: HostClient, sessionId: string) => Promise<T>,
  options?: TemporaryHostOptions,
): Promise<T> {
  await access(file, constants.R_OK); // before a host is started
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

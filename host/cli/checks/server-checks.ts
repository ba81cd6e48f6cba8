/** Checks servers that the host contacts. */
import type { Configuration } from "../../configuration/configuration.js";
import { storeIndexAddress } from "../../templates/templates.js";
import { type Check, hint, right, wrong } from "./check.js";
import { clockCheck } from "./time-checks.js";

/** Requests the index of the configured template store, and compares the clocks. */
export async function templateStoreCheck({
  templates: { store },
}: Pick<Configuration, "templates">): Promise<Check[]> {
  if (store.url === undefined) return [];
  const name = "template store";
  try {
    const address = await storeIndexAddress(store.url);
    const answer = await fetch(address, { signal: AbortSignal.timeout(store.timeout), redirect: "manual" });
    await answer.body?.cancel();
    const clock = clockCheck(address.host, answer.headers.get("date"));
    // Many stores refuse requests without a token.
    if (answer.ok || answer.status === 401 || answer.status === 403)
      return [right(name, `${address.host} answers`), ...clock];
    const detail = `${address.host} answers with ${answer.status}; is templates.store.url right?`;
    return [wrong(name, detail), ...clock];
  } catch (error) {
    const reason = causeOf(error);
    return [
      wrong(
        name,
        `${store.url} cannot be reached (${reason}); see templates.store.url, name server and firewall`,
      ),
    ];
  }
}

const proxyVariables = ["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"];

/** The host verifies the target address itself, which a proxy would hide. */
export function proxyCheck(environment = process.env): Check[] {
  const found = proxyVariables.filter((name) => (environment[name] ?? "") !== "");
  if (found.length === 0) return [];
  const detail = `${found.join(", ")} is set, but the host asks servers directly; links of clients need a way out without a proxy`;
  return [hint("proxy", detail)];
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

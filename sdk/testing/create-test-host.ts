import type { TestHost, TestHostOptions } from "./test-host.js";

/**
 * Brings a plugin up in a host in memory. Rejects with the `RequestError` 500 `plugin-error` that a server would refuse the
 * plugin with: a configuration that does not fit its schema, a `setup` that throws, routes or services that are none.
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  throw new Error(`The test host is not there yet for ${options.name ?? "plugin"}.`);
}

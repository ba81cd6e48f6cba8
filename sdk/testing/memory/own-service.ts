import type { ServiceResult } from "../../plugin/service.js";
import { RunningCall } from "../../runtime/calls/running-call.js";
import { RemoteServices } from "../../runtime/plugin/remote-services.js";
import { requestScope } from "../../runtime/plugin/request-scope.js";
import { type Static, type TSchema, Type } from "../../schema.js";
import type { TestService, TestServiceCall } from "../test-host.js";
import { defaultTimeout, type MemoryParts, memoryOrigin } from "./memory-parts.js";
import { PluginLink } from "./plugin-link.js";

/** Whom the called plugin sees as its caller. */
const caller = { name: "test", version: "1.0.0" };

/** A service of the tested plugin, called as by a plugin that answers a request. */
export class OwnService implements TestService {
  constructor(
    private readonly parts: MemoryParts,
    private readonly plugin: { name: string; version: string },
    private readonly service: string,
    private readonly nextId: () => string,
  ) {}

  call(method: string, input: unknown, options?: TestServiceCall): Promise<ServiceResult<unknown>>;
  call<O extends TSchema>(
    method: string,
    input: unknown,
    options: TestServiceCall & { output: O },
  ): Promise<ServiceResult<Static<O>>>;
  async call(
    method: string,
    input: unknown,
    options: TestServiceCall & { output?: TSchema } = {},
  ): Promise<ServiceResult<unknown>> {
    const { parts } = this;
    const { name, version } = this.plugin;
    const plugin = `${name}@${version}`;
    const { session, output = Type.Unknown(), signal = new AbortController().signal } = options;
    const link = new PluginLink(caller, parts);
    const label = `${caller.name}@${caller.version}`;
    const requestId = this.nextId();
    const services = new RemoteServices(link, parts.log.of({ plugin: label, requestId }));
    const origin = memoryOrigin(parts, label, {
      requestId,
      session: session && parts.sessions.find(session.id),
      signal,
      deadline: parts.clock.now() + defaultTimeout,
    });
    const running = new RunningCall(
      origin,
      label,
      `call of ${this.service}.${method}`,
      undefined,
      parts.clock,
    );
    return await link.run(running, (request) =>
      requestScope.run({ request, signal: running.signal }, () =>
        services.service(plugin, this.service).call(method, input, output),
      ),
    );
  }
}

import type { Engine } from "../engine/engine.js";
import type { PartHealth } from "../observability/health.js";
import type { MemberStatus } from "../observability/host-status.js";
import type { PluginSupervisor } from "../plugins/plugins.js";

/** Facts that need a request to the engine. */
export const unknownHealth: PartHealth = {
  ready: true,
  detail: "Not known, because the engine does not answer.",
};

/**
 * Whether this host serves the same as the others, with the same digests; undefined without others.
 * `members`: undefined while the engine does not answer.
 */
export function fleetHealth(
  { switches }: Pick<Engine, "switches">,
  { problems }: Pick<PluginSupervisor, "problems">,
  members: readonly MemberStatus[] | undefined,
): PartHealth | undefined {
  if (switches === undefined) return undefined;
  const unserved = problems.map(({ plugin, reason }) => `${plugin} ${reason}`);
  if (!switches.isInService)
    return {
      ready: false,
      detail:
        `This host answers nothing for plugins until it serves what the others do. ${unserved.join("; ")}`.trim(),
    };
  if (members === undefined) return unknownHealth;
  const alive = members.filter(({ state }) => state === "alive");
  const all = [...unserved.map((each) => `No host serves it: ${each}`), ...differences(alive)];
  return {
    ready: true,
    detail: `This host and ${alive.length - 1} others switch their plugins together.`,
    ...(all.length > 0 && { problems: all }),
  };
}

/** A sentence for each host and each part in which it differs from this one. */
function differences(members: readonly MemberStatus[]): string[] {
  const own = members.find(({ current }) => current)?.digests ?? {};
  return members.flatMap(({ name, current, digests = {} }) =>
    current
      ? []
      : Object.entries(own)
          .filter(([part, digest]) => digests[part] !== undefined && digests[part] !== digest)
          .map(([part]) => `${name} has other ${part} than this host: give all hosts the same.`),
  );
}

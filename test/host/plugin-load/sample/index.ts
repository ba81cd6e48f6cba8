/** Says which version it is, and does what a plugin must not do when it is asked to. */
import { randomUUID } from "node:crypto";
import { definePlugin, type Host, route, type TSchema, Type } from "@slipway/sdk";
import { behaviour } from "./behaviour.js";
import { commit, type FaultName, faultNames } from "./faults.js";
import { part } from "./part.js";
import { version } from "./version.js";

/** Another one in each process. */
const instance = randomUUID();

export default definePlugin({
  setup(host) {
    if (behaviour.setup === "throws") throw new Error("The sample does not want to be set up.");
    return {
      routes: [versionRoute(host), ...faultNames.map((fault) => faultRoute(host, fault))],
      probe() {
        if (behaviour.probe === "throws") throw new Error("The sample is not fit today.");
      },
    };
  },
});

/** For what has no end. */
const patience = "300ms";

/** Without their types: the plugin answers with what does not match, too. */
const Version: TSchema = Type.Object({
  version: Type.String(),
  part: Type.String(),
  instance: Type.String(),
});
const Done: TSchema = Type.Object({ done: Type.Integer() });

const versionRoute = (host: Host) =>
  route.get("version", {
    summary: "Says which version it is, after some milliseconds.",
    query: Type.Object({ ms: Type.Integer({ minimum: 0, default: 0 }) }),
    response: Version,
    timeout: behaviour.answers.startsWith("endless") ? patience : "30s",
    async handler({ query }) {
      if (behaviour.answers === "wrong-answer") return commit("wrong-answer", host);
      if (behaviour.answers !== "fine") await commit(behaviour.answers, host);
      if (query.ms > 0) await new Promise((resolve) => setTimeout(resolve, query.ms));
      return { version, part, instance };
    },
  });

const faultRoute = (host: Host, fault: FaultName) =>
  route.post(`fault/${fault}`, {
    summary: "Does what a plugin must not do.",
    response: Done,
    timeout: fault.startsWith("endless") ? patience : "30s",
    handler: () => commit(fault, host),
  });

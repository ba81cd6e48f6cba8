import { Type } from "@slipway/sdk";
import { PluginGrants } from "../configuration/plugin-grants.js";
import type { Idempotency } from "../http/idempotency.js";
import type { RequestContext } from "../http/request-state.js";
import {
  type AgreementReport,
  type PluginAdministration,
  PluginOverview,
} from "../plugins/administration/administration.js";
import { ConfigurationChange, PluginConfiguration } from "../plugins/configuration/configuration.js";
import type { PluginState } from "../plugins/plugin-state.js";
import { nameOf } from "../security/caller.js";
import { pluginNotFound } from "../system/request-errors.js";
import { ChangedPlugin, PluginStates, RolledBackPlugin } from "./answers.js";
import { Nothing, ok, operation, Unread, withoutPlace } from "./operation.js";

const closed = { additionalProperties: false } as const;
const Name = Type.String({ minLength: 1, maxLength: 100 });
const PluginName = Type.Object({ plugin: Type.String({ description: "Public name or alias." }) });

const unknownPlugin = { 404: ["request-not-found"] };
const conflict = { 404: ["request-not-found"], 409: ["plugin-conflict"] };
/** A disk is full: that of this host, or of any host with the same engine. */
const stored = { ...conflict, 503: ["request-overloaded"] };

/** Milliseconds; longer than an earlier version takes to start. */
const rollbackLease = 600_000;

/** `/api/plugins`: list, scan, roll back, disable and enable. */
export function pluginOperations(plugins: PluginAdministration, idempotency: Idempotency) {
  const states = () => ({ plugins: plugins.states().map(listedState) });
  const overviewOf = (plugin: string) => overview(plugins, plugin);
  const common = { tag: "plugins", query: Unread } as const;
  return [
    operation({
      ...common,
      method: "GET",
      path: "/api/plugins",
      id: "listPlugins",
      summary: "The state of every plugin version",
      roles: ["read", "operate"],
      params: Nothing,
      body: Unread,
      answers: ok("One for each content that was found, and for each that still runs.", PluginStates),
      handle(ctx) {
        ctx.body = states();
      },
    }),
    operation({
      ...common,
      method: "GET",
      path: "/api/plugins/:plugin",
      id: "getPlugin",
      summary: "The state of one plugin",
      roles: ["read", "operate"],
      params: PluginName,
      body: Unread,
      answers: ok("The plugin.", PluginOverview),
      errors: unknownPlugin,
      handle(ctx, { params }) {
        ctx.body = overviewOf(params.plugin);
      },
    }),
    operation({
      ...common,
      method: "POST",
      path: "/api/plugins/look",
      id: "lookForPlugins",
      summary: "Scans the drop-in folders now",
      description: "Responds once all complete plugins there serve or have failed.",
      roles: ["operate"],
      isGuarded: true,
      params: Nothing,
      body: Nothing,
      answers: ok("Where every plugin version stands then.", PluginStates),
      async handle(ctx) {
        await plugins.scan();
        ctx.body = states();
      },
    }),
    operation({
      ...common,
      method: "POST",
      path: "/api/plugins/:plugin/rollback",
      id: "rollBackPlugin",
      summary: "Rolls a plugin back to an earlier version",
      description:
        "The default is every release that serves the plugin, and the version that served before. Responds once the rollback is in force; if the version does not start or is in quarantine, nothing changes.",
      roles: ["operate"],
      isGuarded: true,
      params: PluginName,
      body: Type.Object({ release: Type.Optional(Name), version: Type.Optional(Name) }, closed),
      answers: ok("What is in force.", RolledBackPlugin),
      errors: stored,
      async handle(ctx, { params: { plugin }, body, caller }) {
        const terms = { content: [JSON.stringify(body)], lease: rollbackLease, outlivesClient: true };
        await idempotency.once(ctx, terms, async () => {
          const { rollbacks, agreed } = await plugins.rollback({ plugin, ...body, actor: nameOf(caller) });
          answer(ctx, { plugin: overviewOf(plugin), rollbacks }, agreed);
        });
      },
    }),
    operation({
      ...common,
      method: "POST",
      path: "/api/plugins/:plugin/disable",
      id: "disablePlugin",
      summary: "Unmounts a plugin; its folder stays",
      description: "Survives a restart.",
      roles: ["operate"],
      isGuarded: true,
      params: PluginName,
      body: Nothing,
      answers: ok("The plugin, which no release answers with.", ChangedPlugin),
      errors: unknownPlugin,
      async handle(ctx, { params: { plugin }, caller }) {
        const agreed = await plugins.disable(plugin, nameOf(caller));
        answer(ctx, { plugin: overviewOf(plugin) }, agreed);
      },
    }),
    operation({
      ...common,
      method: "POST",
      path: "/api/plugins/:plugin/enable",
      id: "enablePlugin",
      summary: "Mounts a plugin again",
      description: "Also retries failed versions; with a version only that one, which may be in quarantine.",
      roles: ["operate"],
      isGuarded: true,
      params: PluginName,
      body: Type.Object({ version: Type.Optional(Name) }, closed),
      answers: ok("The plugin.", ChangedPlugin),
      errors: stored,
      async handle(ctx, { params: { plugin }, body, caller }) {
        const agreed = await plugins.enable(plugin, nameOf(caller), body.version);
        answer(ctx, { plugin: overviewOf(plugin) }, agreed);
      },
    }),
    operation({
      ...common,
      method: "PUT",
      path: "/api/plugins/:plugin/grants",
      id: "grantPlugin",
      summary: "Replaces what admins grant one plugin",
      description:
        "Beside `plugins.grants` of the host's configuration. Versions that wait for these grants start; versions that need more than is left stop serving. Running processes have them from their next start.",
      roles: ["operate"],
      isGuarded: true,
      params: PluginName,
      body: PluginGrants,
      answers: ok("The plugin.", ChangedPlugin),
      errors: stored,
      async handle(ctx, { params: { plugin }, body, caller }) {
        const agreed = await plugins.grant(plugin, nameOf(caller), body);
        answer(ctx, { plugin: overviewOf(plugin) }, agreed);
      },
    }),
    operation({
      ...common,
      method: "GET",
      path: "/api/plugins/:plugin/configuration",
      id: "getPluginConfiguration",
      summary: "The configuration of one plugin",
      description: "Of the version that serves. Secrets are left out; `secrets` tells which are set.",
      roles: ["operate"],
      params: PluginName,
      body: Unread,
      answers: ok("Its schema, its values and where they come from.", PluginConfiguration),
      errors: conflict,
      handle(ctx, { params: { plugin } }) {
        ctx.body = plugins.configuration(plugin);
      },
    }),
    operation({
      ...common,
      method: "PUT",
      path: "/api/plugins/:plugin/configuration",
      id: "configurePlugin",
      summary: "Saves the configuration of one plugin",
      description:
        "Responds once new processes with the configuration serve; if one does not start, nothing changes. The host's configuration takes precedence over what is saved.",
      roles: ["operate"],
      isGuarded: true,
      params: PluginName,
      body: ConfigurationChange,
      answers: ok("The configuration after the change.", PluginConfiguration),
      errors: stored,
      async handle(ctx, { params: { plugin }, body, caller }) {
        const names = await plugins.configure({ plugin, ...body, actor: nameOf(caller) });
        if (names.length > 0) ctx.state.auditDetails = { changed: names.join(", ") };
        ctx.body = plugins.configuration(plugin);
      },
    }),
  ];
}

/** Responds with the agreement of all hosts; the audit trail also records it. */
export function answer(ctx: RequestContext, body: object, agreed: AgreementReport | undefined): void {
  ctx.body = { ...body, ...(agreed && { agreed }) };
  if (agreed === undefined) return;
  const { generation, hosts } = agreed;
  ctx.state.auditDetails = {
    ...ctx.state.auditDetails,
    generation: String(generation),
    hosts: hosts.join(", ").slice(0, longestText),
  };
}

/** Characters of a detail in the audit trail. */
const longestText = 200;

/** A plugin may have many assets, and pages read the list often. */
function listedState(state: PluginState): PluginState {
  return { ...withoutPlace(state), assets: undefined };
}

function overview(plugins: PluginAdministration, plugin: string): PluginOverview {
  const found = plugins.overview(plugin);
  if (found !== undefined) return { ...found, versions: found.versions.map(withoutPlace) };
  const names = plugins.states().flatMap(({ name }) => name ?? []);
  throw pluginNotFound(plugin, [...new Set(names)]);
}

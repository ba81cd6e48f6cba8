/** What tests of several hosts on one database ask them. Uses the part itself: the schemas of members and health. */
import { Type, Validator } from "@slipway/sdk";
import { PartHealth } from "../../host/observability/health.js";
import { MemberStatus } from "../../host/observability/host-status.js";

const validator = new Validator();
const checkReadiness = validator.compile(
  Type.Object({
    reasons: Type.Optional(Type.Array(Type.String())),
    parts: Type.Record(Type.String(), PartHealth),
  }),
  "answer",
);
const checkStatus = validator.compile(
  Type.Object({
    requests: Type.Object({ plugins: Type.Array(Type.Object({ working: Type.Integer() })) }),
    members: Type.Optional(Type.Array(MemberStatus)),
  }),
  "answer",
);

export function post(url: string, body: unknown): Promise<Response> {
  const content = body instanceof Uint8Array ? body : JSON.stringify(body);
  const type = body instanceof Uint8Array ? "application/zip" : "application/json";
  return fetch(url, { method: "POST", headers: { "Content-Type": type }, body: content });
}

export const put = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

export async function readiness({ url }: { url: string }) {
  const answer = await fetch(`${url}/readyz`);
  const result = checkReadiness(await answer.json());
  if (!result.ok) throw new Error("This is no readiness");
  const { reasons = [], parts } = result.value;
  return { status: answer.status, reasons, parts };
}

/** Load and members as a host tells them; no members while it cannot reach the engine. */
export async function statusOf({ url }: { url: string }) {
  const result = checkStatus(await (await fetch(`${url}/api/status`)).json());
  if (!result.ok) throw new Error("This is no status");
  const { requests, members = [] } = result.value;
  return { working: requests.plugins.reduce((sum, { working }) => sum + working, 0), members };
}

import { RequestError, Type } from "@slipway/sdk";
import type { Idempotency } from "../http/idempotency.js";
import { hostSigner, signerOf, type WebhookSecrets } from "../jobs/jobs.js";
import type { Caller } from "../security/caller.js";
import { WebhookSecretAnswer } from "./answers.js";
import { Nothing, ok, operation, Unread } from "./operation.js";

const Of = Type.Object(
  {
    of: Type.Enum(["key", "host"], {
      default: "key",
      description:
        "`key`: the secret of the key of the request. `host`: that of requests without a key; it needs the role `operate`.",
    }),
  },
  { additionalProperties: false },
);

/** Milliseconds. */
const rotationLease = 60_000;

/** `/api/webhook-secret`: the secret that signs the webhooks of a key. */
export function webhookOperations(secrets: WebhookSecrets, idempotency: Idempotency) {
  const common = {
    tag: "jobs",
    roles: ["read", "operate", "sessions"],
    isGuarded: true,
    params: Nothing,
    query: Of,
    body: Unread,
    errors: { 503: ["engine-unavailable", "request-overloaded"] },
  } as const;
  const answer = async (signer: string) => {
    const [secret = "", previous] = await secrets.inForce(signer);
    return { signer, secret, ...(previous !== undefined && { previous }) };
  };
  return [
    operation({
      ...common,
      method: "GET",
      path: "/api/webhook-secret",
      id: "getWebhookSecret",
      summary: "The secret that the webhooks of a key are signed with",
      description:
        "Keys of one name share a secret, so that a key can be replaced. On a host without keys, all requests share that of the host.",
      answers: ok("The secret, as Standard Webhooks writes it.", WebhookSecretAnswer),
      async handle(ctx, { query: { of }, caller }) {
        ctx.body = await answer(signerFor(of, caller));
      },
    }),
    operation({
      ...common,
      method: "POST",
      path: "/api/webhook-secret/rotate",
      id: "rotateWebhookSecret",
      summary: "Replaces the secret that the webhooks of a key are signed with",
      description:
        "For a day, webhooks have a signature by each of the two, so that receivers can change over.",
      answers: ok("The new secret, and the previous one.", WebhookSecretAnswer),
      async handle(ctx, { query: { of }, caller }) {
        const signer = signerFor(of, caller);
        ctx.state.auditDetails = { signer };
        await idempotency.once(ctx, { content: [signer], lease: rotationLease }, async () => {
          await secrets.rotate(signer);
          ctx.body = await answer(signer);
        });
      },
    }),
  ];
}

function signerFor(of: "key" | "host", { key, roles }: Caller): string {
  if (of === "key") return signerOf(key);
  if (roles.includes("operate")) return hostSigner;
  throw new RequestError({
    id: "request-forbidden",
    code: 403,
    message: "The secret of the host needs a key with the role operate.",
  });
}

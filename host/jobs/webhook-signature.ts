/** Signatures of Standard Webhooks 1.0, symmetric: https://www.standardwebhooks.com */
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";
/** Bytes; the standard asks for 24 to 64. */
const secretLength = 32;

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `${prefix}${randomBytes(secretLength).toString("base64")}`;
}

/** A message that is signed. */
export interface WebhookMessage {
  /** The same for each attempt, so that receivers recognise repetitions. */
  id: string;
  /** Seconds since the epoch, of the attempt. */
  timestamp: number;
  body: string;
}

/** The headers of a message, with a signature by each secret. */
export function webhookHeaders(
  { id, timestamp, body }: WebhookMessage,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

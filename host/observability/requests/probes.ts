import type { FinishedRequest } from "./request-observer.js";

const probed: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
const polled: ReadonlySet<string> = new Set(["/api/status", "/api/requests"]);

/** Whether machines asked how the host is, as they do every few seconds, and all went well. */
export function isProbe({ method, path, status }: FinishedRequest): boolean {
  return (method === "GET" || method === "HEAD") && status < 400 && probed.has(path);
}

/** A probe, or a look at the very lists that it would fill. */
export function isLook(request: FinishedRequest): boolean {
  const { method, path, status } = request;
  return isProbe(request) || (method === "GET" && status < 400 && polled.has(path));
}

import type { Host, MetricHistogram } from "@slipway/sdk";

/** How large the reports are that were made. */
export function reportPages(host: Host): MetricHistogram {
  const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  return host.metrics.histogram("report_pages", "Pages of reports, with their attachments.", [], bounds);
}

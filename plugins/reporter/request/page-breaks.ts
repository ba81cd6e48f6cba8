import { type Suppression, suppressEach, type ViewNode, walkNodes } from "@slipway/sdk";

/** Position numbers with a page break before or after them. */
export interface PageBreaks {
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

/**
 * Page breaks of a request by position number. An unknown number is reported as `page-break-unknown`. If the template
 * does not allow page breaks, they are all ignored and reported as `page-break-ignored`.
 */
export function readPageBreaks(
  requested: readonly { posNo: string; value: "before" | "after" }[],
  nodes: readonly ViewNode[],
  disabled: boolean,
  suppress: (suppression: Suppression) => void,
): PageBreaks {
  const before = new Set<string>();
  const after = new Set<string>();
  if (disabled && requested.length > 0) suppress(pageBreaksIgnored);
  if (disabled || requested.length === 0) return { before, after };
  const unknown: string[] = [];
  const positions = new Set([...walkNodes(nodes)].map((node) => node.position));
  for (const { posNo, value } of requested) {
    const position = posNo.trim();
    if (position === "" || !positions.has(position)) unknown.push(posNo);
    else (value === "before" ? before : after).add(position);
  }
  suppressEach(unknown, unknownPosition, suppress);
  return { before, after };
}

const pageBreaksIgnored: Suppression = {
  id: "page-break-ignored",
  scope: "WARN",
  message: "The template does not support page breaks, so `pageBreaks` was ignored.",
};

function unknownPosition(posNo: string): Suppression {
  return {
    id: "page-break-unknown",
    scope: "WARN",
    message: `The report has no position "${posNo}", so this page break was ignored.`,
    additionalInformation: { posNo },
  };
}

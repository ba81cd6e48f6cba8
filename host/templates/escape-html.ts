/**
 * Escapes a value for HTML text and quoted attributes; null and undefined give an empty string. Without regular
 * expressions, which are slow in the rendering process.
 */
export function escapeHtml(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : String(value);
  let escaped = "";
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    const entity = entityOf(text.charCodeAt(index));
    if (entity === undefined) continue;
    escaped += text.slice(from, index) + entity;
    from = index + 1;
  }
  return from === 0 ? text : escaped + text.slice(from);
}

function entityOf(code: number): string | undefined {
  switch (code) {
    case 34:
      return "&#34;";
    case 38:
      return "&amp;";
    case 39:
      return "&#39;";
    case 60:
      return "&lt;";
    case 62:
      return "&gt;";
    default:
      return undefined;
  }
}

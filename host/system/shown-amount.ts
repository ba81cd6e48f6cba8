/** Amounts for people. */

const kilobyte = 1024;
const units = ["bytes", "KB", "MB", "GB", "TB"];

/** Such as "12.3 MB" or "812 bytes". */
export function shownSize(bytes: number): string {
  const unit = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(kilobyte)));
  const amount = bytes / kilobyte ** unit;
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}

/** The two largest units of a time, such as "3 days 4 h" or "12 s". */
export function shownDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "days"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first < 0) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${amount === 1 && unit === "days" ? "day" : unit}`)
    .join(" ");
}

import { Icon, type IconName } from "./button.js";

/** How good or bad something is. */
export type Tone = "good" | "busy" | "idle" | "warning" | "wrong";

/** A state in a word, a sign and a colour. */
export function Badge(properties: { tone: Tone; icon: IconName; text: string; title?: string }) {
  const { tone, icon, text, title } = properties;
  return (
    <span class="badge" data-tone={tone} title={title}>
      <Icon name={icon} />
      {text}
    </span>
  );
}

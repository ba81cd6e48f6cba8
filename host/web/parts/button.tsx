import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.js";

/** A button; one that cannot be used stays where the keyboard finds it, and says why. */
export function Button(properties: {
  act(): void;
  children: ComponentChildren;
  icon?: IconName;
  kind?: "main" | "danger" | "quiet";
  /** Why it cannot be used; undefined where it can. */
  prevented?: string | undefined;
  /** Where the content says too little. */
  label?: string;
  isPressed?: boolean;
}) {
  const { act, children, icon, kind, prevented, label, isPressed } = properties;
  return (
    <button
      type="button"
      class="button"
      data-kind={kind}
      aria-disabled={prevented === undefined ? undefined : true}
      aria-label={label}
      aria-pressed={isPressed}
      title={prevented ?? label}
      onClick={() => {
        if (prevented === undefined) act();
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

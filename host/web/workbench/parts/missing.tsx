import { useEffect } from "preact/hooks";
import { Button, type IconName } from "../../parts/button.js";
import { Empty } from "../../parts/panel.js";
import { useWorkbenchWords } from "../words/words.js";

/** Milliseconds between two checks. */
const between = 5_000;

/** States what the host lacks. Checks periodically, and when the page becomes visible. */
export function Missing(properties: {
  icon: IconName;
  title: string;
  /** Whether the host has it now. */
  isAvailable(): Promise<boolean>;
  /** Called when `isAvailable` succeeds, and by the button. */
  again(): void;
}) {
  const { icon, title, isAvailable, again } = properties;
  const { missing: words } = useWorkbenchWords();
  useEffect(() => {
    let isWanted = true;
    const look = (): void => {
      if (document.hidden) return;
      isAvailable().then(
        (isFound) => {
          if (isWanted && isFound) again();
        },
        // Still missing, or the host is unreachable: the next check will show.
        () => undefined,
      );
    };
    const timer = setInterval(look, between);
    document.addEventListener("visibilitychange", look);
    return () => {
      isWanted = false;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [isAvailable, again]);
  return (
    <Empty icon={icon} title={title}>
      <p>{words.checking}</p>
      <Button act={again}>{words.again}</Button>
    </Empty>
  );
}

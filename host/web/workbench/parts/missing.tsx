import { useEffect } from "preact/hooks";
import { Button, type IconName } from "../../parts/button.js";
import { Empty } from "../../parts/panel.js";
import { useWorkbenchWords } from "../words/words.js";

/** Milliseconds between two looks. */
const between = 5_000;

/** What the host does not have for now. Looks for it from time to time, and as soon as the page is to be seen again. */
export function Missing(properties: {
  icon: IconName;
  title: string;
  /** Whether the host has it by now. */
  isThere(): Promise<boolean>;
  /** Called when it has, and by the button. */
  again(): void;
}) {
  const { icon, title, isThere, again } = properties;
  const { missing: words } = useWorkbenchWords();
  useEffect(() => {
    let isWanted = true;
    const look = (): void => {
      if (document.hidden) return;
      isThere().then(
        (isFound) => {
          if (isWanted && isFound) again();
        },
        // It is not there yet, or the host is away: the next look will tell.
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
  }, [isThere, again]);
  return (
    <Empty icon={icon} title={title}>
      <p>{words.looks}</p>
      <Button act={again}>{words.again}</Button>
    </Empty>
  );
}

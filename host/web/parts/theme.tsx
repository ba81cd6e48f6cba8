import { useState } from "preact/hooks";
import { lastingStorage } from "../client/browser-storage.js";
import { Icon } from "./button.js";
import { partWords } from "./part-words.js";
import { useWords } from "./words.js";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const place = "slipway-theme";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
systemDark.addEventListener("change", () => applyTheme());

/** Applies the stored color theme. */
export function applyTheme(theme = readTheme()): void {
  const { dataset, classList } = document.documentElement;
  dataset["theme"] = theme;
  // Swagger UI uses the same class.
  classList.toggle("dark-mode", theme === "dark" || (theme === "system" && systemDark.matches));
}

/** Buttons for the light, dark and system theme. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme());
  const words = useWords(partWords).themes;
  const choose = (wanted: Theme): void => {
    lastingStorage.keep(place, wanted);
    applyTheme(wanted);
    setTheme(wanted);
  };
  return (
    <fieldset class="theme">
      <legend class="unseen">{words.title}</legend>
      {themes.map((each) => (
        <label key={each} title={words[each]}>
          <input
            type="radio"
            name="theme"
            class="unseen"
            checked={theme === each}
            onChange={() => choose(each)}
          />
          <Icon name={each} />
          <span class="unseen">{words[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function readTheme(): Theme {
  const kept = lastingStorage.read(place);
  return themes.find((each) => each === kept) ?? "system";
}

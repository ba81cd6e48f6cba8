import { button, element, icon } from "./element.js";
import type { TemplateRecord } from "./host-answers.js";
import { nextZoom, type Zoom } from "./zoom.js";

const offered = [
  "en_GB",
  "en_US",
  "de_DE",
  "de_AT",
  "de_CH",
  "fr_FR",
  "fr_CH",
  "nl_NL",
  "nl_BE",
  "pl_PL",
  "es_ES",
  "it_IT",
  "cs_CZ",
  "da_DK",
  "sv_SE",
  "tr_TR",
  "ja_JP",
  "zh_CN",
];

export interface ToolbarListeners {
  templateChosen(key: string): void;
  localeChosen(locale: string): void;
  pageChosen(page: number): void;
  zoomChosen(zoom: Zoom): void;
  optionsToggled(): void;
}

/** What stands above the pages: which template, which locale, which page, how large, and the file itself. */
export class Toolbar {
  readonly element = element("header", { class: "toolbar" });
  private readonly template = element("select", { "aria-label": "Template", class: "template-choice" });
  private readonly locale = element("select", { "aria-label": "Locale", class: "locale-choice" });
  private readonly page = element("input", {
    type: "text",
    inputmode: "numeric",
    "aria-label": "Page",
    class: "page-number",
    value: "0",
  });
  private readonly pages = element("span", { class: "page-count" }, "of 0");
  private readonly zoom = element("select", { "aria-label": "Zoom", class: "zoom-choice" });
  private readonly exact = element("option", { value: "exact", hidden: true });
  private readonly download = element(
    "a",
    { class: "button", title: "Download (d)", "aria-label": "Download", "aria-disabled": "true" },
    icon("M8 2v8m0 0 3-3m-3 3L5 7M3 13h10"),
  );
  private readonly options: HTMLButtonElement;
  private factor = 1;

  constructor(private readonly listeners: ToolbarListeners) {
    this.options = button(
      "Options",
      icon("M2 4h7m4 0h1M2 12h1m4 0h7M9 2v4M7 10v4"),
      listeners.optionsToggled,
      "o",
    );
    this.options.setAttribute("aria-expanded", "true");
    const fits = [
      element("option", { value: "width" }, "Width"),
      element("option", { value: "page" }, "Whole page"),
    ];
    const factors = [0.5, 0.75, 1, 1.25, 1.5, 2, 3].map((value) =>
      element("option", { value: String(value) }, percent(value)),
    );
    this.zoom.append(this.exact, ...fits, ...factors);
    this.listen();
    const group = (name: string, ...parts: HTMLElement[]) =>
      element("div", { class: `group ${name}`, role: "group", "aria-label": name }, ...parts);
    this.element.append(
      group("Report", this.options, this.template, this.locale),
      group(
        "Pages",
        button("Previous page", icon("M4 10l4-4 4 4"), () => this.step(-1), "k"),
        this.page,
        this.pages,
        button("Next page", icon("M4 6l4 4 4-4"), () => this.step(1), "j"),
      ),
      group(
        "View",
        button("Smaller", icon("M4 8h8"), () => this.zoomBy(-1), "-"),
        this.zoom,
        button("Larger", icon("M4 8h8M8 4v8"), () => this.zoomBy(1), "+"),
        this.download,
      ),
    );
  }

  /** Templates by category; a chosen one that is not among them stays chosen. */
  showTemplates(templates: readonly TemplateRecord[], chosen: string): void {
    const groups = new Map<string, HTMLOptGroupElement>();
    for (const { category, key, name } of templates) {
      const group = groups.get(category.key) ?? element("optgroup", { label: category.name });
      groups.set(category.key, group);
      group.append(element("option", { value: key }, name));
    }
    const isKnown = templates.some(({ key }) => key === chosen);
    this.template.replaceChildren(
      ...(isKnown ? [] : [element("option", { value: chosen }, chosen)]),
      ...(groups.size === 1 ? [...groups.values()].flatMap((group) => [...group.children]) : groups.values()),
    );
    this.template.value = chosen;
  }

  showLocale(chosen: string, others: readonly string[]): void {
    this.locale.replaceChildren(...localeChoices(chosen, ...others));
    this.locale.value = chosen;
  }

  showPage(page: number, count: number): void {
    if (!this.page.matches(":focus")) this.page.value = String(page);
    this.page.dataset["current"] = String(page);
    this.pages.textContent = `of ${count}`;
  }

  showZoom(zoom: Zoom, factor: number): void {
    this.factor = factor;
    const isOffered = [...this.zoom.options].some(({ value }) => value === String(zoom));
    this.exact.textContent = percent(factor);
    this.zoom.value = isOffered ? String(zoom) : "exact";
    this.zoom.title = percent(factor);
  }

  showOptionsToggle(isOpen: boolean): void {
    this.options.setAttribute("aria-expanded", String(isOpen));
  }

  /** The file that the pages are of. */
  showFile(address: string, name: string): void {
    this.download.href = address;
    this.download.download = name;
    this.download.removeAttribute("aria-disabled");
  }

  /** What keys do that mean nothing else. True when it was one of them. */
  press(key: string): boolean {
    const acts: Record<string, () => void> = {
      "+": () => this.zoomBy(1),
      "=": () => this.zoomBy(1),
      "-": () => this.zoomBy(-1),
      0: () => this.listeners.zoomChosen("width"),
      j: () => this.step(1),
      k: () => this.step(-1),
      d: () => this.download.click(),
      o: () => this.listeners.optionsToggled(),
    };
    const act = Object.hasOwn(acts, key) ? acts[key] : undefined;
    act?.();
    return act !== undefined;
  }

  private listen(): void {
    this.template.addEventListener("change", () => this.listeners.templateChosen(this.template.value));
    this.locale.addEventListener("change", () => this.listeners.localeChosen(this.locale.value));
    this.page.addEventListener("change", () => {
      const page = Number(this.page.value);
      if (Number.isInteger(page)) this.listeners.pageChosen(page);
      this.page.value = this.page.dataset["current"] ?? "";
    });
    this.page.addEventListener("focus", () => this.page.select());
    this.zoom.addEventListener("change", () => {
      const { value } = this.zoom;
      this.listeners.zoomChosen(value === "width" || value === "page" ? value : Number(value));
    });
  }

  private step(by: number): void {
    this.listeners.pageChosen(Number(this.page.dataset["current"] ?? 1) + by);
  }

  private zoomBy(direction: 1 | -1): void {
    this.listeners.zoomChosen(nextZoom(this.factor, direction));
  }
}

function percent(factor: number): string {
  return `${Math.round(factor * 100)} %`;
}

/** A list of locales with their names, with the given ones among them. */
function localeChoices(...others: string[]): HTMLOptionElement[] {
  const all = [...new Set([...others, ...offered])];
  const named = all.map((locale) => ({ locale, name: localeName(locale) }));
  return named
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(({ locale, name }) => element("option", { value: locale }, name));
}

/** Such as "German (Germany)"; the locale itself where the browser has no name for it. */
function localeName(locale: string): string {
  try {
    const names = new Intl.DisplayNames(["en"], { type: "language", languageDisplay: "standard" });
    return names.of(locale.replaceAll("_", "-")) ?? locale;
  } catch {
    return locale;
  }
}

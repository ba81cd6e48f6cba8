import type { ComponentChildren, RefObject } from "preact";
import { useState } from "preact/hooks";
import { Icon, IconButton } from "../parts/button.js";
import { Options } from "../parts/options.js";
import { namedLocales, TemplateChoices } from "./choices.js";
import type { LivePreview } from "./live-preview.js";
import type { PreviewState } from "./preview-state.js";
import { readZoom } from "./zoom.js";

/** The toolbar: template, locale, page, zoom and download. */
export function Toolbar(properties: {
  state: PreviewState;
  /** Of the session. */
  locale: string;
  download: RefObject<HTMLAnchorElement | null>;
  hasOptions: boolean;
  live: LivePreview;
  goTo(page: number): void;
  zoomBy(direction: 1 | -1): void;
  toggleOptions(): void;
  hasData: boolean;
  toggleData(): void;
}) {
  const { state, locale, download, hasOptions, live, goTo, zoomBy, toggleOptions, hasData, toggleData } =
    properties;
  const { shown, templates, report, pages } = state;
  return (
    <header class="toolbar">
      <Group name="Report">
        <IconButton label="Options" icon="options" shortcut="o" isExpanded={hasOptions} act={toggleOptions} />
        <select
          class="template-choice"
          aria-label="Template"
          value={shown.template}
          onChange={(event) => live.chooseTemplate(event.currentTarget.value)}
        >
          <TemplateChoices templates={templates} chosen={shown.template} />
        </select>
        <select
          class="locale-choice"
          aria-label="Locale"
          value={shown.locale ?? locale}
          onChange={(event) => live.chooseLocale(event.currentTarget.value)}
        >
          <Options of={namedLocales("en", [shown.locale ?? locale, locale])} />
        </select>
      </Group>
      <Group name="Pages">
        <IconButton label="Previous page" icon="up" shortcut="k" act={() => goTo(pages.current - 1)} />
        <PageNumber current={pages.current} goTo={goTo} />
        <span class="page-count">of {pages.count}</span>
        <IconButton label="Next page" icon="down" shortcut="j" act={() => goTo(pages.current + 1)} />
      </Group>
      <Group name="View">
        <IconButton label="Smaller" icon="minus" shortcut="-" act={() => zoomBy(-1)} />
        <ZoomChoice state={state} live={live} />
        <IconButton label="Larger" icon="plus" shortcut="+" act={() => zoomBy(1)} />
        {report === undefined ? (
          <span class="icon-button" aria-disabled="true">
            <Icon name="download" />
          </span>
        ) : (
          <a
            ref={download}
            class="icon-button"
            title="Download (d)"
            aria-label="Download"
            href={report.address}
            download={report.name}
          >
            <Icon name="download" />
          </a>
        )}
        <IconButton label="Data" icon="data" shortcut="i" isExpanded={hasData} act={toggleData} />
      </Group>
    </header>
  );
}

function Group({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <fieldset class="group" aria-label={name}>
      {children}
    </fieldset>
  );
}

function PageNumber({ current, goTo }: { current: number; goTo(page: number): void }) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type="text"
      inputMode="numeric"
      aria-label="Page"
      class="page-number"
      value={typed ?? String(current)}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => setTyped(undefined)}
      onChange={(event) => {
        const page = Number(event.currentTarget.value);
        if (Number.isInteger(page)) goTo(page);
        setTyped(undefined);
      }}
    />
  );
}

const factors = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

function ZoomChoice({ state: { shown, pages }, live }: { state: PreviewState; live: LivePreview }) {
  const zoom = readZoom(shown.zoom);
  const exact = percent(pages.factor);
  return (
    <select
      class="zoom-choice"
      aria-label="Zoom"
      title={exact}
      value={typeof zoom === "string" || factors.includes(zoom) ? String(zoom) : "exact"}
      onChange={({ currentTarget: { value } }) =>
        live.chooseZoom(value === "width" || value === "page" ? value : Number(value))
      }
    >
      <option value="exact" hidden>
        {exact}
      </option>
      <option value="width">Width</option>
      <option value="page">Whole page</option>
      <Options of={factors.map((factor) => [String(factor), percent(factor)])} />
    </select>
  );
}

function percent(factor: number): string {
  return `${Math.round(factor * 100)} %`;
}

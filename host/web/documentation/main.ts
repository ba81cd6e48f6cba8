/** The admins' page keeps its key there as well; it lasts as long as the tab. */
const keyPlace = "slipway-key";
const lookEvery = 10_000;
const dark = matchMedia("(prefers-color-scheme: dark)");
const release = part("release", HTMLSelectElement);
const notice = part("notice", HTMLElement);
let ui: SwaggerUi | undefined;
let shown = { address: "", mark: "" };
let hasKey = false;

dark.addEventListener("change", colour);
colour();
part("access", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  takeKey(part("key", HTMLInputElement).value.trim());
});
release.addEventListener("change", () => void show());
addEventListener("focus", () => void look());
setInterval(() => {
  if (document.visibilityState === "visible") void look();
}, lookEvery);
await begin();

async function begin(): Promise<void> {
  try {
    await showReleases(new URLSearchParams(location.search).get("release"));
    await show();
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
  }
}

/** Offers the releases that there are; the default one is first. */
async function showReleases(wanted: string | null): Promise<void> {
  const { version, releases, defaultRelease } = await describedHost();
  part("host", HTMLElement).textContent = `${version} at ${location.host}`;
  document.title = `API – Slipway at ${location.host}`;
  const names = [defaultRelease, ...releases.filter((name) => name !== defaultRelease)];
  release.replaceChildren(...names.map((name) => new Option(name)));
  release.value = wanted !== null && names.includes(wanted) ? wanted : defaultRelease;
}

async function show(): Promise<void> {
  const address = addressOf(release.value);
  shown = { address, mark: (await markOf(address)) ?? "" };
  history.replaceState(undefined, "", `?${new URLSearchParams({ release: release.value })}${location.hash}`);
  if (ui === undefined) {
    ui = swaggerUi(part("operations", HTMLElement), address, useKey);
    return;
  }
  ui.specActions.updateUrl(address);
  ui.specActions.download(address);
}

/** Shows what answers now, when that is something else than before. */
async function look(): Promise<void> {
  const mark = await markOf(shown.address);
  if (mark === shown.mark) return;
  // Away, or without this release.
  const isThere = await showReleases(release.value).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  await show();
  tell(`Plugins have changed; this is what answers since ${new Date().toLocaleTimeString()}.`);
}

function takeKey(key: string): void {
  if (key === "") sessionStorage.removeItem(keyPlace);
  else sessionStorage.setItem(keyPlace, key);
  part("key", HTMLInputElement).value = "";
  useKey();
}

/** Has the requests of this page carry the key. */
function useKey(): void {
  const key = sessionStorage.getItem(keyPlace) ?? "";
  if (key !== "") ui?.preauthorizeApiKey("apiKey", key);
  else if (hasKey) ui?.authActions.logout(["apiKey"]);
  hasKey = key !== "";
  part("said", HTMLOutputElement).value = key === "" ? "" : "Sent with each request.";
}

function colour(): void {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

function tell(text: string): void {
  notice.textContent = text;
  notice.hidden = false;
}

function part<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${id}`);
}

/** What the page itself needs of the description. */
export interface DescribedHost {
  version: string;
  releases: string[];
  defaultRelease: string;
}

/** Of a release, or of all. */
export function addressOf(release?: string): string {
  return release === undefined ? "../openapi.json" : `../openapi.json?${new URLSearchParams({ release })}`;
}

/** Rejects with a sentence when the host does not answer with a description. */
export async function describedHost(): Promise<DescribedHost> {
  const answer = await fetch(addressOf(), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`The host answered with status ${answer.status}.`);
  const { info }: { info: { version: string; "x-slipway": Omit<DescribedHost, "version"> } } =
    await answer.json();
  return { version: info.version, ...info["x-slipway"] };
}

/** Changes with the description; undefined where nobody answers, or where there is none any more. */
export async function markOf(address: string): Promise<string | undefined> {
  const answer = await fetch(address, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  return answer?.ok ? (answer.headers.get("ETag") ?? undefined) : undefined;
}

/** What this page uses of Swagger UI, which comes as a script of its own. */
export interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
  authActions: { logout(schemes: string[]): void };
  specActions: { updateUrl(url: string): void; download(url: string): void };
}

interface SwaggerUiOptions {
  domNode: Element;
  url: string;
  deepLinking: boolean;
  docExpansion: "list";
  defaultModelsExpandDepth: number;
  /** Null asks nobody else what they think of the description. */
  validatorUrl: null;
  onComplete(): void;
}

declare global {
  function SwaggerUIBundle(options: SwaggerUiOptions): SwaggerUi;
}

/** Draws the description at `url`; calls `drawn` each time that it has read one. */
export function swaggerUi(domNode: Element, url: string, drawn: () => void): SwaggerUi {
  return SwaggerUIBundle({
    domNode,
    url,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    onComplete: drawn,
  });
}

import { addressOf, describedHost, markOf } from "./description.js";
import { type SwaggerUi, swaggerUi } from "./swagger-ui.js";

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
  part("said", HTMLOutputElement).value = key === "" ? "" : "Requests carry it.";
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

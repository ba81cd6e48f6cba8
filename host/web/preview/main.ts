/** The page: a preview as large as the window, whose state stands in the address. */
import { readAddress, type Shown, writeAddress } from "./address.js";
import { element } from "./element.js";
import { RefusedRequest } from "./failure.js";
import type { Session } from "./host-answers.js";
import { HostClient } from "./host-client.js";
import { Preview } from "./preview.js";
import { chooseProject } from "./project-chooser.js";

const host = new HostClient(new URL("../", location.href));

function remember(now: Shown): void {
  history.replaceState(null, "", writeAddress(now));
}

async function sessionOf(id: string | undefined): Promise<Session> {
  if (id === undefined) return chooseProject(document.body, host, undefined);
  try {
    return await host.session(id);
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    return chooseProject(document.body, host, error.message);
  }
}

/** The key of the template that the address names, by key or alias; of the first one where it names none. */
async function templateOf(name: string | undefined, sessionId: string): Promise<string> {
  if (name !== undefined) {
    const states = await host.templateStates();
    return states.find(({ aliases }) => aliases.includes(name))?.key ?? name;
  }
  const [template] = await host.templates(sessionId);
  if (template === undefined) throw new Error("The host has no templates.");
  return template.key;
}

async function open(shown: Shown): Promise<void> {
  const { sessionId, locale, project } = await sessionOf(shown.session);
  const template = await templateOf(shown.template, sessionId);
  const start = { ...shown, session: sessionId, template };
  remember(start);
  const preview = new Preview({
    host,
    session: { id: sessionId, locale, project: project.name },
    shown: start,
    remember: (now) => {
      document.title = `${now.template ?? "Preview"} – Slipway`;
      remember(now);
    },
  });
  document.body.append(preview.element);
  document.addEventListener("keydown", (event) => {
    const isForField =
      event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
    if (isForField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (preview.press(event.key)) event.preventDefault();
  });
  await preview.start();
}

open(readAddress(location.search)).catch((error: unknown) => {
  console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  document.body.append(element("p", { role: "alert", class: "message" }, message));
});

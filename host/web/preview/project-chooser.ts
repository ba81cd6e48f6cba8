import { element } from "./element.js";
import { RefusedRequest } from "./failure.js";
import type { Session } from "./host-answers.js";
import type { HostClient } from "./host-client.js";

/** Asks which project the reports are to be of: one that is open, or a file. */
export async function chooseProject(
  place: HTMLElement,
  host: HostClient,
  reason: string | undefined,
): Promise<Session> {
  const sessions = await host.sessions();
  return new Promise((resolve) => {
    const message = element("p", { role: "alert", class: "message" }, reason ?? "");
    const file = element("input", { type: "file", id: "project", accept: ".obk,.obx,.json" });
    file.addEventListener("change", async () => {
      const [project] = file.files ?? [];
      if (project === undefined) return;
      try {
        finish(await host.openSession(project));
      } catch (error) {
        message.textContent = error instanceof RefusedRequest ? error.message : String(error);
      }
    });
    const open = sessions.map((session) => {
      const choice = element("button", { type: "button" }, session.project.name || session.sessionId);
      choice.addEventListener("click", () => finish(session));
      return element("li", {}, choice, " ", element("small", {}, session.locale));
    });
    const dialog = element(
      "main",
      { class: "chooser" },
      element("h1", {}, "Preview of templates"),
      message,
      element("label", { for: "project" }, "Open a project (OBK, OBX or JSON)"),
      file,
      open.length > 0 ? element("h2", {}, "Or one that is open") : undefined,
      open.length > 0 ? element("ul", {}, ...open) : undefined,
    );
    const finish = (session: Session) => {
      dialog.remove();
      resolve(session);
    };
    place.append(dialog);
  });
}

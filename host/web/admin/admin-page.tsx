import type { ComponentChildren } from "preact";
import { useWasSignedIn } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { AwayBanner } from "../parts/away-banner.js";
import { StartProblem, usePrevented } from "../parts/notice.js";
import { DropHint, useFileDrop } from "../parts/project.js";
import { route } from "../parts/route.js";
import { AuditView } from "./audit-view.js";
import { HostViewProvider } from "./host-view.js";
import { chosenArchives } from "./install/upload.js";
import { InstallDialog, UploadList } from "./install/uploads.js";
import { JobsView } from "./jobs-view.js";
import { Navigation } from "./navigation.js";
import { OverviewView } from "./overview/overview-view.js";
import { PluginView } from "./plugins/plugin-view.js";
import { PluginsView } from "./plugins/plugins-view.js";
import { RequestsView } from "./requests/requests-view.js";
import { SessionsView } from "./sessions-view.js";
import { TemplatePreview } from "./templates/template-preview.js";
import { TemplatesView } from "./templates/templates-view.js";

const take = (files: File[]): void => chosenArchives.set(files);

/** The page of admins. */
export default function AdminPage() {
  const wasSignedIn = useWasSignedIn();
  return (
    <HostViewProvider>
      <DropTarget>
        <div class="shell">
          <Navigation />
          <div class="stage">
            <AwayBanner />
            <main id="main" class="content" tabIndex={-1}>
              {wasSignedIn ? <View /> : <StartProblem />}
            </main>
          </div>
        </div>
      </DropTarget>
    </HostViewProvider>
  );
}

function View() {
  const { view, name } = useObserved(route);
  switch (view) {
    case "overview":
      return <OverviewView />;
    case "plugins":
      return name === undefined ? <PluginsView /> : <PluginView key={name} name={name} />;
    case "templates":
      return name === undefined ? <TemplatesView /> : <TemplatePreview key={name} name={name} />;
    case "sessions":
      return <SessionsView />;
    case "jobs":
      return <JobsView />;
    case "requests":
      return <RequestsView />;
    case "audit":
      return <AuditView />;
  }
}

/** Takes archives that are dropped anywhere on the page. */
function DropTarget({ children }: { children: ComponentChildren }) {
  const prevented = usePrevented("operate");
  const isOver = useFileDrop(prevented === undefined, take);
  return (
    <>
      {children}
      {isOver && (
        <DropHint text={prevented ?? "Drop the plugin to install it"} isAllowed={prevented === undefined} />
      )}
      <InstallDialog />
      <UploadList />
    </>
  );
}

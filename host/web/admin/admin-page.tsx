import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../parts/button.js";
import { Failure, usePrevented } from "../parts/notice.js";
import { useFileDrop } from "../parts/project-file-button.js";
import { Toasts } from "../parts/toasts.js";
import { AuditView } from "./audit/audit-view.js";
import { AwayBanner } from "./away-banner.js";
import { host } from "./host/host-context.js";
import { useObserved } from "./host/observed.js";
import { HostViewProvider } from "./host-view.js";
import { InstallDialog } from "./install/install-dialog.js";
import { wanted } from "./install/upload.js";
import { UploadList } from "./install/upload-list.js";
import { Navigation } from "./navigation.js";
import { OverviewView } from "./overview/overview-view.js";
import { PluginView } from "./plugins/plugin-view.js";
import { PluginsView } from "./plugins/plugins-view.js";
import { RequestsView } from "./requests/requests-view.js";
import { route } from "./route.js";
import { SessionsView } from "./sessions/sessions-view.js";
import { SignIn } from "./sign-in.js";
import { TemplatePreview } from "./templates/template-preview.js";
import { TemplatesView } from "./templates/templates-view.js";

const take = (files: File[]): void => wanted.set(files);

/** The whole page. */
export function App() {
  const access = useObserved(host.access);
  const problem = useObserved(host.startProblem);
  // What somebody has typed stays behind the question for the key.
  const [wasIn, setWasIn] = useState(false);
  const isIn = access !== undefined && access.roles.length > 0;
  if (isIn && !wasIn) setWasIn(true);
  return (
    <HostViewProvider>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        To the content
      </button>
      <DropTarget>
        <div class="shell">
          <Navigation />
          <div class="stage">
            <AwayBanner />
            <main id="main" tabIndex={-1}>
              {(isIn || wasIn) && <View />}
              {!isIn && !wasIn && problem !== undefined && access === undefined && (
                <Failure error={problem} />
              )}
            </main>
          </div>
        </div>
      </DropTarget>
      {access !== undefined && !isIn && <SignIn />}
      <Toasts />
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
        <div class="drop-hint" data-tone={prevented === undefined ? "good" : "wrong"}>
          <p>
            <Icon name={prevented === undefined ? "upload" : "wrong"} />
            {prevented ?? "Drop the plugin to install it"}
          </p>
        </div>
      )}
      <InstallDialog />
      <UploadList />
    </>
  );
}

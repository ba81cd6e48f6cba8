import { type ComponentType, render } from "preact";
import { host } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { applyLanguage, preferredLanguage } from "../parts/language.js";
import { lazy } from "../parts/lazy.js";
import { partWords } from "../parts/part-words.js";
import { type PageName, route } from "../parts/route.js";
import { SignIn } from "../parts/sign-in.js";
import { applyTheme } from "../parts/theme.js";
import { Toasts } from "../parts/toasts.js";
import { switchLanguage, useWords } from "../parts/words.js";

/** Loaded on demand; the workbench with its words. */
const pages: Readonly<Record<PageName, ComponentType>> = {
  workbench: lazy(async () => {
    const page = await import("../workbench/workbench-page.js");
    await switchLanguage(preferredLanguage());
    return page;
  }),
  admin: lazy(() => import("../admin/admin-page.js")),
  preview: lazy(() => import("../preview/preview-page.js")),
  dev: lazy(() => import("../author/author-page.js")),
  docs: lazy(() => import("../documentation/documentation-page.js")),
};

/** The application: shows the page that the address names, and the parts that all pages share. */
function App() {
  const access = useObserved(host.access);
  const words = useWords(partWords);
  const Page = pages[useObserved(route).page];
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        {words.skip}
      </button>
      <Page />
      {access !== undefined && access.roles.length === 0 && <SignIn />}
      <Toasts />
    </>
  );
}

applyTheme();
applyLanguage();
render(<App />, document.body);
// The description of the API needs no key.
if (route.value.page !== "docs") void host.begin();

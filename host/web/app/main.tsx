import { render } from "preact";
import { host } from "../client/host-context.js";
import { route } from "../parts/route.js";
import { applyTheme } from "../parts/theme.js";
import { App } from "./app.js";

applyTheme();
render(<App />, document.body);
// The description of the API is for everybody.
if (route.value.page !== "docs") void host.begin();

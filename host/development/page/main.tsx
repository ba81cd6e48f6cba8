import { render } from "preact";
import { host } from "../../admin/page/host/host-context.js";
import { applyTheme } from "../../admin/page/theme.js";
import { App } from "./app.js";

applyTheme();
render(<App />, document.body);
void host.begin();

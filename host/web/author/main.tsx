import { render } from "preact";
import { host } from "../admin/host/host-context.js";
import { applyTheme } from "../admin/theme.js";
import { App } from "./app.js";

applyTheme();
render(<App />, document.body);
void host.begin();

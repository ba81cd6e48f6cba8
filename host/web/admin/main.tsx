import { render } from "preact";
import { App } from "./app.js";
import { host } from "./host/host-context.js";
import { applyTheme } from "./theme.js";

applyTheme();
render(<App />, document.body);
void host.begin();

import { useEffect } from "preact/hooks";
import { useHost } from "../client/host-context.js";
import { useObserved } from "../client/observed.js";
import { Icon } from "../parts/button.js";
import { addressOf, pageAddress, route, type ViewName, viewNames } from "../parts/route.js";
import { ThemeSwitch } from "../parts/theme.js";
import { useHostView } from "./host-view.js";
import { useAttention } from "./overview/attention.js";

const titles: Readonly<Record<ViewName, string>> = {
  overview: "Overview",
  plugins: "Plugins",
  templates: "Templates",
  sessions: "Sessions",
  jobs: "Jobs",
  requests: "Requests",
  audit: "Audit",
};

/** Links to the views, the owner of the key, and the color theme. */
export function Navigation() {
  const current = useObserved(route);
  const attention = useAttention();
  const { status } = useHostView();
  const count = (view: ViewName): number => attention.filter((each) => each.view === view).length;

  useEffect(() => {
    const mark = attention.length > 0 ? `(${attention.length}) ` : "";
    document.title = `${mark}${current.name ?? titles[current.view]} – Slipway`;
  }, [current, attention.length]);

  return (
    <header class="navigation">
      <a class="brand" href={addressOf("overview")}>
        <img src="icon.svg" alt="" width="28" height="28" />
        <span>
          <strong>Slipway</strong>
          <span class="quiet">
            {status.value === undefined ? location.host : `${status.value.version} · ${location.host}`}
          </span>
        </span>
      </a>
      <nav aria-label="Views">
        <ul>
          {viewNames.map((view) => (
            <li key={view}>
              <a href={addressOf(view)} aria-current={current.view === view ? "page" : undefined}>
                <Icon name={view} />
                <span>{titles[view]}</span>
                {count(view) > 0 && (
                  <span class="count">
                    {count(view)}
                    <span class="unseen"> in need of attention</span>
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="navigation-foot">
        <Account />
        {status.value?.pages?.includes("workbench") === true && (
          <a class="api to-workbench" href={pageAddress("workbench")}>
            Workbench
          </a>
        )}
        <a class="api" href={pageAddress("docs")}>
          Description of the API
        </a>
        <ThemeSwitch />
      </div>
    </header>
  );
}

/** The owner of the key and its roles. */
function Account() {
  const host = useHost();
  const access = useObserved(host.access);
  if (access === undefined || access.roles.length === 0) return null;
  if (!access.required) return <p class="account quiet">No key required</p>;
  return (
    <div class="account">
      <p>
        <Icon name="key" />
        <strong>{access.key ?? "Key"}</strong>
      </p>
      <p class="quiet">May {access.roles.join(", ")}</p>
      <button type="button" class="link" onClick={() => host.signOut()}>
        Forget key
      </button>
    </div>
  );
}

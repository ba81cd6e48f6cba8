type Content = Node | string | undefined;
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** A new element; attributes that are `true` are there without a value, those that are `false` or undefined are not. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...content: Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...content.filter((each) => each !== undefined));
  return made;
}

/** A button that shows a picture or a sign; `label` is what it is called, its keys included where it has one. */
export function button(
  label: string,
  shown: Node | string,
  act: () => void,
  key?: string,
): HTMLButtonElement {
  const title = key === undefined ? label : `${label} (${key})`;
  const made = element("button", { type: "button", "aria-label": label, title, class: "button" }, shown);
  made.addEventListener("click", act);
  return made;
}

const svg = "http://www.w3.org/2000/svg";

/** A picture of lines in a square of 16 units. */
export function icon(path: string): SVGElement {
  const picture = document.createElementNS(svg, "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(svg, "path");
  line.setAttribute("d", path);
  picture.append(line);
  return picture;
}

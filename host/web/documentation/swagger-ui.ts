/** What the page uses of Swagger UI, which comes as a script and a style sheet of its own. */
export interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
  authActions: { logout(schemes: string[]): void };
  specActions: { updateUrl(url: string): void; download(url: string): void };
}

interface SwaggerUiOptions {
  domNode: Element;
  url: string;
  deepLinking: boolean;
  docExpansion: "list";
  defaultModelsExpandDepth: number;
  /** Null asks nobody else what they think of the description. */
  validatorUrl: null;
  onComplete(): void;
}

declare global {
  function SwaggerUIBundle(options: SwaggerUiOptions): SwaggerUi;
}

/** Draws the description at `url`; calls `drawn` each time that it has read one. */
export async function swaggerUi(domNode: Element, url: string, drawn: () => void): Promise<SwaggerUi> {
  const [style, script] = [document.createElement("link"), document.createElement("script")];
  style.rel = "stylesheet";
  style.href = "swagger-ui/swagger-ui.css";
  script.src = "swagger-ui/swagger-ui-bundle.js";
  await Promise.all([style, script].map(inPage));
  return SwaggerUIBundle({
    domNode,
    url,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    onComplete: drawn,
  });
}

function inPage(element: HTMLElement): Promise<void> {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => reject(new Error("A part of the page cannot be loaded.")));
    document.head.append(element);
  });
}

/** What this page uses of Swagger UI, which comes as a script of its own. */
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
export function swaggerUi(domNode: Element, url: string, drawn: () => void): SwaggerUi {
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

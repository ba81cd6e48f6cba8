import type { RenderRequest, TemplateDefinition, TemplateRecord } from "@slipway/sdk";

/** What the host needs of templates: the registry and the renderer behind one contract. */
export interface TemplateService {
  start(): Promise<void>;
  list(locale: string, reload: boolean): Promise<TemplateRecord[]>;
  find(key: string, locale: string): Promise<TemplateDefinition | undefined>;
  /** Renders in a process of its own. Rejects with a `RequestError`: 500 `template-error`, 504 `request-timeout`. */
  render(
    request: RenderRequest,
    limits: { signal: AbortSignal; deadline: number },
  ): Promise<{ html: string }>;
  /** A file of a template that its documents may load: `path` is below the template's folder. */
  asset(version: string, path: string): Promise<{ mediaType: string; content: Uint8Array } | undefined>;
  /** One entry per template folder: serving version, and the error of a broken newer one. */
  states(): TemplateState[];
  stop(): Promise<void>;
}

export interface TemplateState {
  key: string;
  folder: string;
  version: string | undefined;
  /** With file and line where known. */
  error: string | undefined;
  /** Of the serving version, such as texts that a language lacks. */
  warnings: string[];
}

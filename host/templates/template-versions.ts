/** Template versions by content hash: the serving ones and, for a while, replaced ones that a request may be using. */
import { monotonicTime } from "../system/time.js";
import type { LoadedTemplate } from "./loaded-template.js";

const mostRetired = 50;

export class TemplateVersions {
  private readonly serving = new Map<string, LoadedTemplate>();
  /** Versions that a request has found, and may ask for again until its report is finished. */
  private readonly found = new Set<string>();
  /** In the order in which they were replaced. */
  private readonly retired = new Map<string, { template: LoadedTemplate; until: number }>();

  /** Calls `forgotten` for each version that can no longer be requested. */
  constructor(
    private readonly retention: number,
    private readonly forgotten: (version: string) => void,
  ) {}

  get(version: string): LoadedTemplate | undefined {
    return this.serving.get(version) ?? this.retired.get(version)?.template;
  }

  /** A request has found the version, so it outlives its replacement. */
  keep(version: string): void {
    this.found.add(version);
  }

  /**
   * Sets the serving versions. Replaced ones that a request has found are kept for the retention time; others would only
   * push those out when an author saves often.
   */
  serve(templates: LoadedTemplate[]): void {
    const versions = new Set(templates.map((template) => template.version));
    for (const [version, template] of this.serving) {
      if (versions.has(version)) continue;
      this.serving.delete(version);
      if (this.found.has(version))
        this.retired.set(version, { template, until: monotonicTime() + this.retention });
      else this.forgotten(version);
    }
    for (const template of templates) {
      this.retired.delete(template.version);
      this.serving.set(template.version, template);
    }
    this.forgetOld();
  }

  /** Drops versions whose retention has ended. */
  forgetOld(): void {
    for (const [version, { until }] of this.retired) {
      if (until > monotonicTime() && this.retired.size <= mostRetired) continue;
      this.retired.delete(version);
      this.found.delete(version);
      this.forgotten(version);
    }
  }
}

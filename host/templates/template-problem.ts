/** A mistake in a file of a template. */
export interface TemplateProblem {
  /** Path below the template's folder. */
  file: string;
  line: number | undefined;
  message: string;
}

/**
 * A text that occurs several times in one generated file, such as the same picture of many articles. As a piece of a
 * file, it is sent to the host and compressed for an archive only once. Worth it from about 1 KB.
 */
export class RepeatedText {
  constructor(
    /** The text; stored as UTF-8. */
    readonly text: string,
  ) {}

  /** The text itself. */
  toString(): string {
    return this.text;
  }
}

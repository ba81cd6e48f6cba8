/** Whether a text is a language by its form (RFC 5646): a registered tag is not looked up. */
export function isLanguage(text: string): boolean {
  try {
    return /^[a-z]{2,3}(-|$)/i.test(text) && new Intl.Locale(text).language !== "und";
  } catch {
    return false;
  }
}

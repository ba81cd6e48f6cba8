/** Device names of Windows, with any extension. */
const device = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\s*(?:\.|$))/i;

/** The file name with an underscore where Windows would take it for a device: `nul_.xml` for `nul.xml`. */
export function withoutDeviceName(name: string): string {
  return name.replace(device, "$1_$2");
}

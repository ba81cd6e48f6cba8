/** Links of cells. */

/** Excel takes no more in one sheet. */
export const mostLinks = 65_530;
const longestTarget = 2079;

/** The address that a cell may lead to: absolute http, https and mailto addresses; undefined for others. */
export function linkTarget(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { href, protocol } = new URL(link);
  const isAllowed = ["http:", "https:", "mailto:"].includes(protocol);
  return isAllowed && href.length <= longestTarget ? href : undefined;
}

/** The articles of a project that an export leaves out, and how it says so. */
import { type ArticleItem, RequestError, type Suppression, type UserArticleItem } from "@slipway/sdk";

/** An article without a place in the document. */
export interface LeftOutArticle {
  item: ArticleItem | UserArticleItem;
  /** As in the article list; empty for an article that it does not show. */
  position: string;
  reason: LeftOutReason;
}

/** Why articles are left out. */
export interface LeftOutReason {
  kind: "quantity" | "document-type" | "status" | "manufacturer";
  /** Says it of one article or several, such as "an order has no alternatives". */
  text: string;
}

/** Articles listed in one error; of the others it has the number. */
const mostListed = 100;
/** Articles named in a message. */
const mostNamed = 3;

/**
 * 422 `project-empty`: `additionalInformation.leftOut` lists the articles of the project with the reason of each, and
 * `more` is the number of those that are not listed.
 */
export function projectEmpty(leftOut: readonly LeftOutArticle[]): RequestError {
  const reasons = byReason(leftOut).map(
    (articles) => `${named(articles)} (${articles[0]?.reason.text ?? ""})`,
  );
  return new RequestError({
    id: "project-empty",
    code: 422,
    message:
      leftOut.length === 0
        ? "The project has no articles to export. Add articles to it."
        : `No article is left to export. The export leaves out ${reasons.join("; ")}. Change these articles or the configuration.`,
    additionalInformation:
      leftOut.length === 0
        ? {}
        : { leftOut: leftOut.slice(0, mostListed).map(leftOutMember), ...more(leftOut) },
  });
}

/**
 * One `item-not-exported` for each reason. Articles of manufacturers that the request does not name are no surprise to
 * it, and not among them.
 */
export function reportLeftOut(
  leftOut: readonly LeftOutArticle[],
  suppress: (suppression: Suppression) => void,
): void {
  for (const articles of byReason(leftOut)) {
    const [{ reason } = { reason: undefined }] = articles;
    if (reason === undefined || reason.kind === "manufacturer") continue;
    suppress({
      id: "item-not-exported",
      scope: "WARN",
      message: `The export leaves out ${named(articles)}: ${reason.text}.`,
      additionalInformation: {
        reason: reason.kind,
        itemIds: articles.slice(0, mostListed).map(({ item }) => item.id),
        ...more(articles),
      },
    });
  }
}

function byReason(leftOut: readonly LeftOutArticle[]): LeftOutArticle[][] {
  const groups = new Map<string, LeftOutArticle[]>();
  for (const article of leftOut) {
    const group = groups.get(article.reason.text);
    if (group === undefined) groups.set(article.reason.text, [article]);
    else group.push(article);
  }
  return [...groups.values()];
}

/** For example "position 2, position 3 with the quantity -1 and 7 more". */
function named(articles: readonly LeftOutArticle[]): string {
  const names = articles.slice(0, mostNamed).map(({ position, item, reason }) => {
    const name = position === "" ? `the item ${item.id}` : `position ${position}`;
    return reason.kind === "quantity" ? `${name} with the quantity ${item.quantity.value}` : name;
  });
  const others = articles.length - names.length;
  return `${names.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

function leftOutMember({ item, position, reason }: LeftOutArticle): Record<string, unknown> {
  return { itemId: item.id, ...(position !== "" && { position }), reason: reason.kind, text: reason.text };
}

function more(articles: readonly LeftOutArticle[]): { more?: number } {
  return articles.length > mostListed ? { more: articles.length - mostListed } : {};
}

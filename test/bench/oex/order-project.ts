/** Orders of any size, made of the articles of the demo project: with folders, sets, composites, texts and discounts. */
import type { ConditionRecord, Item, ProjectDocument, Texts } from "@slipway/sdk";
import { largeProject } from "../pdf/large-project.js";

type Article = Extract<Item, { type: "article" }>;

const scheme = "STDB2B_WBK";
/** Articles of one folder; the first ones of them are in a set, the next ones in a composite. */
const roomSize = 50;
const setSize = 4;
const compositeSize = 4;

/**
 * A project with so many articles that are ordered, each with texts, features, prices and a picture, every tenth with a
 * discount.
 */
export async function orderProject(articles: number): Promise<ProjectDocument> {
  const project = await largeProject(articles);
  const all = project.items.flatMap((item) => (item.type === "article" ? [ordered(item)] : []));
  const rooms: Item[] = [];
  for (let start = 0; start < all.length; start += roomSize) {
    rooms.push(room(rooms.length + 1, all.slice(start, start + roomSize)));
  }
  return { ...project, items: rooms, conditions: discounts(all) };
}

function ordered({ inactive: _inactive, nonOrder: _nonOrder, ...article }: Article): Article {
  return article;
}

function room(number: number, articles: readonly Article[]): Item {
  const members = articles.slice(0, setSize);
  const [main, ...parts] = articles.slice(setSize, setSize + compositeSize);
  const text: Item = {
    type: "text",
    id: uuid("1", number),
    text: inGerman(`Raum ${number}: Aufbau nach Absprache`),
  };
  return {
    type: "folder",
    id: uuid("2", number),
    name: inGerman(`Raum ${number}`),
    children: [
      text,
      ...(members.length === 0 ? [] : [set(number, members)]),
      ...(main === undefined ? [] : [composite(main, parts)]),
      ...articles.slice(setSize + compositeSize),
    ],
  };
}

function set(number: number, members: readonly Article[]): Item {
  const id = uuid("3", number);
  return {
    type: "setArticle",
    id,
    articleNumber: `SET-${number}`,
    quantity: { value: "2", unit: "C62" },
    userDescription: { shortText: inGerman("Arbeitsplatz") },
    children: members.map((member) => ({ ...member, setArticleId: id })),
  };
}

function composite(main: Article, parts: readonly Article[]): Article {
  return {
    ...main,
    articleKind: "aggregate",
    children: parts.map((part) => ({ ...part, mainArticleId: main.id })),
  };
}

/** Of every tenth article, and of the whole order. */
function discounts(articles: readonly Article[]): ConditionRecord[] {
  const ofItems = articles
    .filter((_, index) => index % 10 === 0)
    .map(
      ({ id }): ConditionRecord => ({
        scheme,
        itemId: id,
        level: 210,
        counter: 0,
        amount: percentage("-10"),
      }),
    );
  return [
    ...ofItems,
    { scheme, level: 410, counter: 0, amount: percentage("-3") },
    { scheme, level: 413, counter: 0, amount: { kind: "money", value: "-250.00", currency: "EUR" } },
  ];
}

function percentage(value: string): ConditionRecord["amount"] {
  return { kind: "percentage", value };
}

function inGerman(value: string): Texts {
  return [{ lang: "de", value }];
}

/** `kind`: one hexadecimal digit. */
function uuid(kind: string, number: number): string {
  return `00000000-000${kind}-4000-8000-${String(number).padStart(12, "0")}`;
}

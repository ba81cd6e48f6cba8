/** Operations of the service `Basket` that read items, copy and paste them. */
import { badRequest, chooseText, shownValue, Type, textLanguages } from "@slipway/sdk";
import { artifactUrl, sessionNotFound, topFolderId } from "@slipway/sdk/runtime/host";
import { baseUrl } from "../http/request-state.js";
import { projectFormat } from "../sessions/sessions.js";
import { BasketItem, basketItem } from "./basket-items.js";
import { basketTree, selectedNodes } from "./basket-tree.js";
import { ItemProperties, itemProperties } from "./item-properties.js";
import { withPasted } from "./paste-items.js";
import { defaultScheme, priceInfo, pricesOf } from "./price-sheets.js";
import { closed, type SessionCall, sessionOperation } from "./soap-operation.js";
import { readUploaded } from "./uploads.js";
import { WireFormat } from "./wire-values.js";

const Flag = Type.Optional(Type.Boolean());
const off = Type.Optional(Type.Literal(false));

/** Which items, besides those that are named. */
export const itemSelection = {
  wholeComposite: Flag,
  subItems: Flag,
  parentItems: Flag,
  viewId: Type.Optional(Type.String({ format: "uuid" })),
};

export const ItemIds = Type.Optional(Type.Array(Type.String({ maxLength: 100 })));

/** How texts are written; plain texts stay plain in every format. */
const textOptions = { textFormat: Type.Optional(WireFormat), preservePlainText: Flag };

const ArticleFeature = Type.Object(
  {
    displayName: Type.String(),
    displayValue: Type.String(),
    symbolicName: Type.String(),
    symbolicValue: Type.String(),
    visible: Type.Boolean(),
  },
  closed,
);

export const basketOperations = [
  sessionOperation({
    name: "getTopFolderId",
    parameters: { viewId: Type.Optional(Type.String({ format: "uuid" })) },
    result: Type.String(),
    async handle({ project }, { viewId }) {
      const document = await project();
      return viewId === undefined ? topFolderId(document) : basketTree(document, viewId).top.id;
    },
  }),
  sessionOperation({
    name: "getAllItems",
    parameters: {
      itemIds: ItemIds,
      options: Type.Optional(
        Type.Object(
          {
            ...itemSelection,
            ...textOptions,
            setArticleIds: Flag,
            geometryIds: Flag,
            positionNumbers: Flag,
            basketItems: Flag,
          },
          closed,
        ),
      ),
    },
    result: Type.Array(BasketItem),
    async handle(call, { itemIds, options = {} }) {
      const { viewId, setArticleIds = false, positionNumbers = false, basketItems = false } = options;
      const shown = { setArticleIds, positionNumbers, basketItems, isView: viewId !== undefined };
      const languages = await languagesOf(call);
      const tree = basketTree(await call.project(), viewId);
      return selectedNodes(tree, itemIds, options).map((node) => basketItem(node, { ...shown, languages }));
    },
  }),
  sessionOperation({
    name: "getItemProperties",
    parameters: {
      itemIds: ItemIds,
      options: Type.Optional(
        Type.Object(
          {
            ...itemSelection,
            ...textOptions,
            priceInfo: Flag,
            pricingProcedureName: Type.Optional(Type.String({ maxLength: 200 })),
            positionNumbers: Flag,
            textMode: Type.Optional(Type.Enum(["Legacy", "Simple", "Multi", "Mixed"])),
            omitTMRows: Flag,
            preferUserDescriptions: Flag,
            // The answer always has what these ask for.
            addStateCodes: Flag,
            separateCurrencies: Flag,
            inactivePositionState: Flag,
            articleClassifications: Flag,
            includeCalculationErrorsInInconsistencies: Flag,
          },
          closed,
        ),
      ),
    },
    result: Type.Array(ItemProperties),
    async handle(call, { itemIds, options = {} }) {
      const project = await call.project();
      const languages = await languagesOf(call);
      // What was not calculated has no such prices, as in a file of items only.
      const scheme = options.pricingProcedureName ?? defaultScheme(project);
      const prices = options.priceInfo && scheme !== undefined ? await pricesOf(call, scheme) : undefined;
      const { textFormat, positionNumbers = false, omitTMRows = false } = options;
      const shown = { textFormat, positionNumbers, omitTMRows, languages };
      return selectedNodes(basketTree(project, options.viewId), itemIds, options).map((node) =>
        itemProperties(project, node, { ...shown, priceInfo: prices && priceInfo(prices, node) }),
      );
    },
  }),
  sessionOperation({
    name: "getArticleFeatures",
    parameters: {
      itemId: Type.String({ maxLength: 100 }),
      options: Type.Optional(Type.Object({ description: Flag, noInternal: Flag }, closed)),
    },
    result: Type.Array(ArticleFeature),
    async handle(call, { itemId, options = {} }) {
      const languages = await languagesOf(call);
      const [node] = selectedNodes(basketTree(await call.project()), [itemId]);
      const features = node?.item?.type === "article" ? node.item.features : [];
      return features
        .filter(({ visible }) => visible || !options.noInternal)
        .map(({ name, value, nameText, valueText, visible }) => ({
          displayName: chooseText(nameText, languages).value || name,
          displayValue: chooseText(valueText, languages).value || value,
          symbolicName: name,
          symbolicValue: value,
          visible,
        }));
    },
  }),
  sessionOperation({
    name: "paste",
    parameters: {
      fatherId: Type.Optional(Type.String({ maxLength: 100 })),
      beforeId: Type.Optional(Type.String({ maxLength: 100 })),
      uri: Type.String({ maxLength: 4000 }),
      options: Type.Optional(
        Type.Object(
          {
            reuseItemIds: Flag,
            returnOriginalItemIds: off,
            ignoreComposableGeometries: Flag,
          },
          closed,
        ),
      ),
    },
    result: Type.Array(Type.String()),
    async handle({ parts, take, replace }, { fatherId = "", beforeId = "", uri, options = {} }) {
      const file = await readUploaded(parts, uri, take);
      const declared = { mediaType: "application/xml", filename: file.name };
      if (projectFormat(file.bytes, declared) !== "obx")
        throw badRequest({ message: "The file at `uri` has no items to paste; choose an OBX." }, [
          { path: "uri", expected: "the address of an OBX", received: shownValue(uri) },
        ]);
      const pasted = await parts.sessions.read(file.bytes, declared, take);
      const place = { fatherId, beforeId, reuseItemIds: options.reuseItemIds ?? false };
      return (await replace((project) => withPasted(project, pasted, place))).ids;
    },
  }),
  sessionOperation({
    name: "copy",
    parameters: {
      itemIds: Type.Array(Type.String({ maxLength: 100 })),
      opMode: Type.Optional(
        Type.Object(
          { subPositions: Flag, mainArticles: Flag, breakUpSetArticles: off, migrate: off },
          closed,
        ),
      ),
      uri: Type.Optional(Type.Literal("")),
      options: Type.Optional(
        Type.Object(
          {
            encoding: Type.Optional(Type.Enum(["UTF-8", "utf-8"])),
            suffix: Type.Optional(Type.String({ maxLength: 200 })),
            overwrite: Flag,
            cut: off,
            omitPriceData: off,
          },
          closed,
        ),
      ),
    },
    result: Type.String(),
    async handle({ ctx, parts, record, project }, { itemIds }) {
      const nodes = selectedNodes(basketTree(await project()), itemIds, { subItems: true });
      const items = nodes.flatMap(({ item }) => (item === undefined ? [] : [item.id]));
      const content = await parts.sessions.file(record, { format: "obx", items });
      if (content === undefined) throw sessionNotFound(record.id, 404);
      const artifact = await parts.artifacts.create({
        name: "items.obx",
        mediaType: "application/octet-stream",
        content,
      });
      return artifactUrl(baseUrl(ctx, parts.configuration.publicUrl), artifact);
    },
  }),
];

async function languagesOf({ project, record }: SessionCall): Promise<string[]> {
  return textLanguages(await project(), record.locale);
}

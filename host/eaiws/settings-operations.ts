/** Operations of the service `Basket` about how the basket is shown: views and languages. */
import { present, Type } from "@slipway/sdk";
import { attribute } from "../soap/soap.js";
import { defaultScheme } from "./price-sheets.js";
import { closed, NoResult, sessionOperation } from "./soap-operation.js";
import { BasketViewConfig, viewConfig, viewNamed, viewsOf, withViewConfig } from "./view-config.js";

const Languages = Type.Array(Type.String({ minLength: 1, maxLength: 35 }));

/** What a project is shown and calculated with. */
const BasketConfig = Type.Object(
  {
    viewIds: Type.Array(Type.String()),
    columnIds: Type.Array(Type.String()),
    calculations: Type.Array(Type.String()),
    defaultCalculation: Type.Optional(Type.String()),
    defaultView: Type.Optional(Type.String(attribute)),
    columnsEditable: Type.Boolean(attribute),
    currency: Type.String(attribute),
    currencyEditable: Type.Boolean(attribute),
    defaultPriceDate: Type.Optional(Type.String(attribute)),
  },
  closed,
);

export const settingsOperations = [
  sessionOperation({
    name: "getBasketConfig",
    parameters: {},
    result: BasketConfig,
    async handle({ project }) {
      const document = await project();
      const { settings, procedures = [], columns = [] } = document;
      return present({
        viewIds: viewsOf(document).map(({ id }) => id),
        columnIds: columns.map(({ id }) => id),
        calculations: procedures.map(({ name }) => name),
        defaultCalculation: defaultScheme(document),
        defaultView: document.defaultViewId,
        columnsEditable: false,
        currency: settings.currency,
        currencyEditable: true,
        defaultPriceDate: settings.defaultPriceDate,
      });
    },
  }),
  sessionOperation({
    name: "getBasketViewConfigs",
    parameters: { viewIds: Type.Optional(Type.Array(Type.String({ maxLength: 100 }))) },
    result: Type.Array(BasketViewConfig),
    async handle({ project }, { viewIds }) {
      const document = await project();
      const views = viewIds === undefined ? viewsOf(document) : viewIds.map((id) => viewNamed(document, id));
      return views.map(viewConfig);
    },
  }),
  sessionOperation({
    name: "changeBasketViewConfig",
    parameters: { viewConfig: BasketViewConfig },
    result: NoResult,
    handle: ({ change }, { viewConfig: config }) => change((project) => withViewConfig(project, config)),
  }),
  sessionOperation({
    name: "getLanguages",
    parameters: {},
    result: Languages,
    handle: async ({ project }) => (await project()).settings.languages,
  }),
  sessionOperation({
    name: "setLanguages",
    parameters: {
      languages: Type.Optional(Languages),
      // A session has one project.
      mode: Type.Optional(Type.Enum(["Default", "CurrentProject", "AllProjects"])),
    },
    result: NoResult,
    handle: ({ change }, { languages = [] }) =>
      change((project) => ({ ...project, settings: { ...project.settings, languages } })),
  }),
];

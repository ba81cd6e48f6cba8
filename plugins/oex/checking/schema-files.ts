/** The bundled schemas; import only inside the bundle. */
import addresses from "../schemas/oex-common-addresses.xsd";
import article from "../schemas/oex-common-article.xsd";
import codes from "../schemas/oex-common-codes.xsd";
import document from "../schemas/oex-common-document.xsd";
import frames from "../schemas/oex-common-frames.xsd";
import orders from "../schemas/oex-common-orders.xsd";
import orders3 from "../schemas/oex-common-orders-3.xsd";
import quotes from "../schemas/oex-common-quotes.xsd";
import quotes3 from "../schemas/oex-common-quotes-3.xsd";
import values from "../schemas/oex-common-values.xsd";
import version23 from "../schemas/oex-common-version-2.3.xsd";
import version30 from "../schemas/oex-common-version-3.0.xsd";
import version31 from "../schemas/oex-common-version-3.1.xsd";
import version3 from "../schemas/oex-common-version-3.xsd";
import mainOrders23 from "../schemas/oex-orders_2.3.0.xsd";
import mainOrders30 from "../schemas/oex-orders_3.0.0.xsd";
import mainOrders31 from "../schemas/oex-orders_3.1.0.xsd";
import mainQuotes23 from "../schemas/oex-quotes_2.3.0.xsd";
import mainQuotes30 from "../schemas/oex-quotes_3.0.0.xsd";
import mainQuotes31 from "../schemas/oex-quotes_3.1.0.xsd";

/** Content of every schema file by name, for `OexChecker.create`. */
export const schemaFiles: ReadonlyMap<string, string> = new Map([
  ["oex-common-addresses.xsd", addresses],
  ["oex-common-article.xsd", article],
  ["oex-common-codes.xsd", codes],
  ["oex-common-document.xsd", document],
  ["oex-common-frames.xsd", frames],
  ["oex-common-orders.xsd", orders],
  ["oex-common-orders-3.xsd", orders3],
  ["oex-common-quotes.xsd", quotes],
  ["oex-common-quotes-3.xsd", quotes3],
  ["oex-common-values.xsd", values],
  ["oex-common-version-2.3.xsd", version23],
  ["oex-common-version-3.xsd", version3],
  ["oex-common-version-3.0.xsd", version30],
  ["oex-common-version-3.1.xsd", version31],
  ["oex-orders_2.3.0.xsd", mainOrders23],
  ["oex-orders_3.0.0.xsd", mainOrders30],
  ["oex-orders_3.1.0.xsd", mainOrders31],
  ["oex-quotes_2.3.0.xsd", mainQuotes23],
  ["oex-quotes_3.0.0.xsd", mainQuotes30],
  ["oex-quotes_3.1.0.xsd", mainQuotes31],
]);

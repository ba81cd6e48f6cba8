/** Writes SOAP 1.1 envelopes, with the prefixes that the clients of EAIWS look for. */
import { type RequestError, StreamingXmlWriter, type TSchema } from "@slipway/sdk";
import { itemsOf, writeValue } from "./xml-values.js";

/** The media type of envelopes. */
export const envelopeType = "text/xml; charset=utf-8";

const namespaces = {
  "xmlns:S": "http://schemas.xmlsoap.org/soap/envelope/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
};

/** Approximate number of characters per chunk. */
const chunkLength = 65_536;

/**
 * The response of an operation in chunks: its result as one or more elements `return`, or none. What is written of a list
 * does not have to fit into memory as a whole.
 */
export function* responseChunks(options: {
  operation: string;
  namespace: string;
  result: unknown;
  schema: TSchema;
}): Generator<string> {
  const { operation, namespace, result, schema } = options;
  const writer = opened({ "xmlns:ns2": namespace });
  writer.open(`ns2:${operation}Response`);
  const items = itemsOf(schema);
  if (items === undefined || !Array.isArray(result)) writeValue(writer, "return", result, schema);
  else {
    for (const each of result) {
      writeValue(writer, "return", each, items);
      if (writer.length >= chunkLength) yield writer.take();
    }
  }
  for (let open = 3; open > 0; open -= 1) writer.close();
  yield writer.take();
}

/** A request: the parameters in their order, without a namespace. */
export function writeRequest(options: {
  operation: string;
  namespace: string;
  parameters: Readonly<Record<string, unknown>>;
  schema: TSchema;
}): string {
  const { operation, namespace, parameters, schema } = options;
  return envelope({ "xmlns:ns2": namespace }, (writer) =>
    writeValue(writer, `ns2:${operation}`, parameters, schema),
  );
}

/** An error as fault; its detail has id and status of the error, which other responses have as JSON. */
export function writeFault(error: RequestError): string {
  return envelope({}, (writer) => {
    writer.open("S:Fault");
    writer.element("faultcode", error.code < 500 ? "S:Client" : "S:Server");
    writer.element("faultstring", error.message);
    writer.open("detail");
    writer.element("error", "", { id: error.id, code: error.code });
    writer.close();
    writer.close();
  });
}

function envelope(further: Record<string, string>, write: (writer: StreamingXmlWriter) => void): string {
  const writer = opened(further);
  write(writer);
  writer.close();
  writer.close();
  return writer.take();
}

/** A writer inside of the body. */
function opened(further: Record<string, string>): StreamingXmlWriter {
  const writer = new StreamingXmlWriter({ declaration: true });
  writer.open("S:Envelope", { ...namespaces, ...further });
  writer.open("S:Body");
  return writer;
}

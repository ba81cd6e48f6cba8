/** Writes SOAP 1.1 envelopes, with the prefixes that the clients of EAIWS look for. */
import { type RequestError, StreamingXmlWriter, type TSchema } from "@slipway/sdk";
import { writeValue } from "./xml-values.js";

/** The media type of envelopes. */
export const envelopeType = "text/xml; charset=utf-8";

const namespaces = {
  "xmlns:S": "http://schemas.xmlsoap.org/soap/envelope/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
};

/** The response of an operation: its result as one or more elements `return`, or none. */
export function writeResponse(options: {
  operation: string;
  namespace: string;
  result: unknown;
  schema: TSchema;
}): string {
  const { operation, namespace, result, schema } = options;
  return envelope({ "xmlns:ns2": namespace }, (writer) => {
    writer.open(`ns2:${operation}Response`);
    writeValue(writer, "return", result, schema);
    writer.close();
  });
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
  const writer = new StreamingXmlWriter({ declaration: true });
  writer.open("S:Envelope", { ...namespaces, ...further });
  writer.open("S:Body");
  write(writer);
  writer.close();
  writer.close();
  return writer.take();
}

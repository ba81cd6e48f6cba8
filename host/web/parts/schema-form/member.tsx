import { isJsonObject, jsonPointer, valueAt } from "../../../system/json.js";
import { kindOf, membersOf, resolved, type Schema } from "../schema.js";
import { ChoiceListField } from "./choice-list-field.js";
import { defaultAt, type MemberProperties, titleOf, useForm } from "./form-state.js";
import { ListField } from "./list-field.js";
import { MapField } from "./map-field.js";
import { SecretField } from "./secret-field.js";
import { ValueField } from "./value-field.js";

/** Deeper members are edited as JSON, because schemas can be recursive. */
const deepest = 6;

/** A member of the configuration, with the field or group that fits its schema. */
export function Member(properties: MemberProperties) {
  const { path, schema } = properties;
  const { given, changes } = useForm();
  const pointer = jsonPointer(path);
  if (schema["secret"] === true || given.secrets.some((secret) => secret.path === pointer))
    return <SecretField {...properties} />;
  if (path.length > deepest) return <ValueField {...properties} />;
  // If the current value is not an object, a group cannot edit it.
  const value = valueAt(changes, path) ?? defaultAt(given, schema, path);
  const mayHaveMembers = value === undefined || isJsonObject(value);
  const members = membersOf(schema, given.schema);
  if (members !== undefined && mayHaveMembers && isPlainObject(schema)) return <Group {...properties} />;
  const entry = entrySchema(schema, given.schema);
  if (entry !== undefined && mayHaveMembers)
    return <MapField {...properties} entry={entry} field={(inner) => <Member {...inner} />} />;
  const item = itemSchema(schema, given.schema);
  if (item !== undefined && (value === undefined || Array.isArray(value))) {
    const asked = kindOf(item);
    return asked.kind === "choice" && schema["uniqueItems"] === true ? (
      <ChoiceListField {...properties} values={asked.values} titles={asked.titles} />
    ) : (
      <ListField {...properties} item={item} />
    );
  }
  return <ValueField {...properties} />;
}

/** The fields of all members of an object. */
export function Members({ path, schema }: Pick<MemberProperties, "path" | "schema">) {
  const { given } = useForm();
  return (
    <>
      {membersOf(schema, given.schema)?.map(({ name, schema: inner, isRequired }) => (
        <Member key={name} path={[...path, name]} name={name} schema={inner} isRequired={isRequired} />
      ))}
    </>
  );
}

function Group(properties: MemberProperties) {
  const { path, schema } = properties;
  const { description } = schema;
  return (
    <fieldset class="group">
      <legend>{titleOf(properties)}</legend>
      {typeof description === "string" && <p class="quiet">{description}</p>}
      <Members path={path} schema={schema} />
    </fieldset>
  );
}

/** Whether a schema allows its named members only. */
function isPlainObject(schema: Schema): boolean {
  const { anyOf, oneOf, patternProperties, additionalProperties } = schema;
  return (
    anyOf === undefined &&
    oneOf === undefined &&
    patternProperties === undefined &&
    !isJsonObject(additionalProperties)
  );
}

/** The schema of the entries of a map; undefined for other schemas. */
export function entrySchema(schema: Schema, document: unknown): Schema | undefined {
  const { type, properties, patternProperties, additionalProperties } = schema;
  if (type !== "object" || (isJsonObject(properties) && Object.keys(properties).length > 0)) return undefined;
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  const [only, ...others] = [
    ...patterns,
    ...(isJsonObject(additionalProperties) ? [additionalProperties] : []),
  ];
  return only === undefined || others.length > 0 ? undefined : resolved(only, document);
}

/** The schema of the items of a list of simple values; undefined for other schemas. */
function itemSchema({ type, items, prefixItems }: Schema, document: unknown): Schema | undefined {
  if (type !== "array" || !isJsonObject(items) || prefixItems !== undefined) return undefined;
  const item = resolved(items, document);
  return kindOf(item).kind === "json" || item["secret"] === true ? undefined : item;
}

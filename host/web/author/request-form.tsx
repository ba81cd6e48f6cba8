import { Button } from "../parts/button.js";
import type { Route } from "../parts/routes.js";
import type { Field } from "../parts/schema.js";
import { InputField } from "./input-field.js";
import { type FieldPlace, type Inputs, keyOf } from "./inputs.js";

/** Fields for all inputs of a route; the body also as JSON. */
export function RequestForm(properties: {
  route: Route;
  inputs: Inputs;
  change(inputs: Inputs): void;
  session: string | undefined;
  /** The request that the form builds. */
  body: string | undefined;
  isBusy: boolean;
  send(): void;
}) {
  const { route, inputs, change, session, body, isBusy, send } = properties;
  const { texts, json } = inputs;
  const fieldsOf = (place: FieldPlace, fields: readonly Field[]) =>
    fields.map((field) => {
      const key = keyOf(place, field.name);
      return (
        <InputField
          key={key}
          field={field}
          place={place}
          text={texts[key] ?? ""}
          usual={field.name === "sessionId" ? session : undefined}
          change={(text) => change({ ...inputs, texts: { ...texts, [key]: text } })}
        />
      );
    });
  const members = route.body?.fields;
  const isJson = route.body !== undefined && (json !== undefined || members === undefined);
  return (
    <form
      class="request-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        send();
      }}
    >
      {fieldsOf("path", route.pathFields)}
      {fieldsOf("query", route.queryFields)}
      {isJson ? (
        <label class="input-field">
          <span class="input-name">Body</span>
          <textarea
            class="code"
            rows={10}
            spellcheck={false}
            value={json ?? body}
            onInput={(event) => change({ texts, json: event.currentTarget.value })}
          />
        </label>
      ) : (
        fieldsOf("body", members ?? [])
      )}
      <div class="form-foot">
        <button type="submit" class="button" data-kind="main" title="Ctrl+Enter">
          {isBusy ? "Sending …" : "Send"}
        </button>
        {members !== undefined && members.length > 0 && (
          <Button
            kind="quiet"
            act={() => change(json === undefined ? { texts, json: body ?? "{}" } : { texts })}
          >
            {json === undefined ? "Write it as JSON" : "Back to the form"}
          </Button>
        )}
        <Button kind="quiet" icon="back" act={() => change({ texts: {} })}>
          Empty the form
        </Button>
      </div>
    </form>
  );
}

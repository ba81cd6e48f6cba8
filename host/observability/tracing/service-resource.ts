import type { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";

type Resource = NonNullable<NonNullable<ConstructorParameters<typeof BasicTracerProvider>[0]>["resource"]>;
type Attributes = Resource["attributes"];

/** What traces say of the host as a whole. */
export class ServiceResource implements Resource {
  constructor(readonly attributes: Attributes) {}

  merge(other: Resource | null): Resource {
    return other === null ? this : new ServiceResource({ ...this.attributes, ...other.attributes });
  }

  getRawAttributes(): ReturnType<Resource["getRawAttributes"]> {
    return Object.entries(this.attributes);
  }
}

/** `OTEL_RESOURCE_ATTRIBUTES`, such as "deployment.environment.name=production,team=reports"; what is not valid counts for nothing. */
export function environmentAttributes(text: string | undefined): Attributes {
  const pairs = (text ?? "").split(",").map((pair) => pair.split("="));
  return Object.fromEntries(
    pairs.flatMap(([name = "", value, ...more]) => {
      if (name.trim() === "" || value === undefined || more.length > 0) return [];
      return [[name.trim(), decoded(value.trim())]];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

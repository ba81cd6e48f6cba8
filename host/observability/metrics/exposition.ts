/** The text format of Prometheus, version 0.0.4. */

export interface ExposedSample {
  /** Behind the name of the family, such as "_sum". */
  suffix: string;
  labels: readonly (readonly [name: string, value: string])[];
  value: number;
}

/** A metric with all its samples. */
export interface ExposedFamily {
  name: string;
  kind: "counter" | "gauge" | "histogram";
  help: string;
  samples: ExposedSample[];
}

/** A family with all its lines. */
export function exposed({ name, kind, help, samples }: ExposedFamily): string {
  const lines = samples.map(({ suffix, labels, value }) => {
    const shown = labels.map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
    return `${name}${suffix}{${shown.join(",")}} ${shownNumber(value)}`;
  });
  return `${[`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${kind}`, ...lines].join("\n")}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** A sum may have grown beyond what numbers hold. */
function shownNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return String(value);
}

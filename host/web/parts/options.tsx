/** The options of a select: values with their texts. */
export function Options({ of }: { of: Iterable<readonly [value: string, text: string]> }) {
  return (
    <>
      {[...of].map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </>
  );
}

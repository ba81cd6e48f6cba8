/** The member of a record by an external name; ignores inherited members such as "constructor". */
export function ownMember<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

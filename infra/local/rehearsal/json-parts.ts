export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at this path of keys. `undefined` if a key is missing. */
export function partOf(value: unknown, ...keys: readonly string[]): unknown {
  let part = value;
  for (const key of keys) part = isRecord(part) ? part[key] : undefined;
  return part;
}

/** The objects of the list at this path of keys. Empty if there is no list. */
export function listOf(value: unknown, ...keys: readonly string[]): readonly JsonRecord[] {
  const part = partOf(value, ...keys);
  return Array.isArray(part) ? part.filter(isRecord) : [];
}

export function jsonText(value: unknown, ...keys: readonly string[]): string | undefined {
  const part = partOf(value, ...keys);
  return typeof part === 'string' ? part : undefined;
}

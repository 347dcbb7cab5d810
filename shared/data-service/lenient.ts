/** The part of a schema library that is needed here. */
export interface Schema<Output> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Output }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
}

/**
 * Reads a record, or a list of records, field by field: a field of an unexpected type is dropped and reported, the rest
 * is kept. So is an item of a list that is no record at all.
 * @param options.onDrift called with each field that was dropped, named from its record on
 * @returns undefined when the value itself is no record or list
 */
export function readLeniently<Output>(options: {
  readonly schema: Schema<Output>;
  readonly value: unknown;
  readonly onDrift: (field: string) => void;
}): Output | undefined {
  const { schema, onDrift } = options;
  let value = options.value;
  for (;;) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const paths = parsed.error.issues.map((issue) => issue.path);
    if (paths.some((path) => path.length === 0)) return undefined;
    for (const path of paths) onDrift(fieldName(path));
    value = without(value, paths);
  }
}

/** `['previous_companies', 0, 'name']` is `previous_companies[].name`, also in a list of records; `[0]` is `[]`. */
function fieldName(path: readonly PropertyKey[]): string {
  const field = path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`)).join('');
  return field.replace(/^(?:\[\])?\./, '');
}

/** A copy without the values at the paths. Every path is at least one key long, so each call drops something. */
function without(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  const kept = (key: PropertyKey, item: unknown): [] | [unknown] => {
    const below = paths.filter(([first]) => first === key).map(([, ...rest]) => rest);
    if (below.some((rest) => rest.length === 0)) return [];
    return [below.length === 0 ? item : without(item, below)];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => kept(index, item));
  const entries = Object.entries(value ?? {});
  return Object.fromEntries(entries.flatMap(([key, item]) => kept(key, item).map((left) => [key, left])));
}

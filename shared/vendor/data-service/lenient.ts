/** The part of a zod schema that this module uses. */
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
 * Parses a record or a list of records. Fields of an unexpected type are dropped and reported. All other fields are
 * kept. List items that are not records are also dropped and reported.
 * @param options.onDrift called with each dropped field, by its path in the record
 * @returns `undefined` if the value itself is not a record or a list
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

/**
 * Names a field by its path. `['previous_companies', 0, 'name']` becomes `previous_companies[].name`, also in a list of
 * records. `[0]` becomes `[]`.
 */
function fieldName(path: readonly PropertyKey[]): string {
  const field = path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`)).join('');
  return field.replace(/^(?:\[\])?\./, '');
}

/** Copies the value without the values at the paths. Every path has at least one key, so each call drops a value. */
function without(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  const keepItem = (key: PropertyKey, item: unknown): [] | [unknown] => {
    const innerPaths = paths.filter(([first]) => first === key).map(([, ...rest]) => rest);
    if (innerPaths.some((rest) => rest.length === 0)) return [];
    return [innerPaths.length === 0 ? item : without(item, innerPaths)];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => keepItem(index, item));
  const entries = Object.entries(value ?? {});
  return Object.fromEntries(entries.flatMap(([key, item]) => keepItem(key, item).map((left) => [key, left])));
}

import type { ReadData } from './operation.ts';

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

type OnDrift = (field: string) => void;

/** A reader for answers with one record. */
export function one<Item>(schema: Schema<Item>) {
  return (data: unknown, onDrift: OnDrift): ReadData<Item> | undefined => {
    const item = readLeniently({ schema, value: data, onDrift });
    return item === undefined ? undefined : { data: item, results: 1 };
  };
}

/** A reader for answers with a list. An item that is no record at all is dropped, but counts as a result. */
export function many<Item>(schema: Schema<Item>) {
  return (data: unknown, onDrift: OnDrift): ReadData<readonly Item[]> | undefined => {
    if (!Array.isArray(data)) return undefined;
    const items = data.flatMap((value) => {
      const item = readLeniently({ schema, value, onDrift });
      if (item === undefined) onDrift('[]');
      return item === undefined ? [] : [item];
    });
    return { data: items, results: data.length };
  };
}

/**
 * Reads a record field by field: what has an unexpected type is dropped and reported, the rest is kept.
 * @returns undefined when the value is no record at all.
 */
export function readLeniently<Output>(options: {
  readonly schema: Schema<Output>;
  readonly value: unknown;
  readonly onDrift: OnDrift;
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

/** `['previous_companies', 0, 'name']` is `previous_companies[].name`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

/** A copy without what the paths lead to. Every path is at least one key long, so each call drops something. */
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

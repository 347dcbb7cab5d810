/** The part of a zod schema that describes its form. */
interface Schema {
  readonly _zod: { readonly def: Definition };
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Finds fields of a schema with an array or a record without its own bound: no `max`, no fixed set of words. */
export function unboundedFields(schema: Schema, path: readonly string[] = []): string[] {
  const { def } = schema._zod;
  const here = isUnbounded(def) ? [path.join('.')] : [];
  const own = Object.entries(def.shape ?? {}).flatMap(([name, field]) =>
    unboundedFields(field, [...path, name]),
  );
  const inner = [
    def.element,
    def.valueType,
    def.innerType,
    def.in,
    def.out,
    ...(def.options ?? []),
    ...(def.items ?? []),
  ];
  return [
    ...here,
    ...own,
    ...inner.filter((each) => each !== undefined).flatMap((each) => unboundedFields(each, path)),
  ];
}

/** The parts of zod's definitions that can contain a schema. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly options?: readonly Schema[];
  readonly items?: readonly Schema[];
}

const FIXED = new Set(['enum', 'literal', 'never']);

function isUnbounded({ type, checks = [], element, keyType }: Definition): boolean {
  const hasMaximum = checks.some(({ _zod }) => _zod.def.check === 'max_length');
  if (type === 'array') return !hasMaximum && !FIXED.has(element?._zod.def.type ?? '');
  return ['record', 'map', 'set'].includes(type) && !FIXED.has(keyType?._zod.def.type ?? '');
}

import { isObject } from './parameter-rules.ts';

interface TypesOfFields {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}
export type TypesByField = Readonly<Record<string, keyof TypesOfFields>>;
type Typed<Types extends TypesByField> = {
  readonly [Field in keyof Types]?: TypesOfFields[Types[Field]];
};

/**
 * Returns the fields of an object that have the expected type; `undefined` for another value.
 * @param onDrift called with each field of another type
 */
export function typedFields<Types extends TypesByField>(
  value: unknown,
  types: Types,
  onDrift: (field: string) => void = () => undefined,
): Typed<Types> | undefined {
  if (!isObject(value)) return undefined;
  const fields = Object.entries(types).filter(([field, type]) => {
    const isTyped = typeof value[field] === type;
    if (!isTyped && value[field] !== undefined) onDrift(field);
    return isTyped;
  });
  return Object.fromEntries(fields.map(([field]) => [field, value[field]])) as Typed<Types>;
}

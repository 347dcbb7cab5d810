import { invalidParameter } from './errors.ts';
import { type Checked, isAbsent, isObject, type Rule } from './parameter-rules.ts';
import type { OperationData, OperationName, OperationParameters } from './types.ts';

/** The parameters that are left after checking: known, not empty, of a plausible form. */
export type CheckedParameters = Readonly<Record<string, unknown>>;

/** What `data` of an answer came to; undefined when it is nothing that the operation could answer. */
export interface ReadData<Data> {
  readonly data: Data;
  /** How many results were delivered. */
  readonly results: number;
}

/** One operation of the service, as data; the request path executes it. Its price is in `pricing.ts`. */
export interface Operation<Name extends OperationName> {
  readonly name: Name;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** HTTP status of a success, and `statusCode` of its body. */
  readonly successStatus: 200 | 201;
  readonly parameters: {
    readonly [parameter in keyof OperationParameters[Name]]-?: Rule<
      NonNullable<OperationParameters[Name][parameter]>
    >;
  };
  /** What is missing, in the vendor's words; undefined when nothing is. */
  readonly lacks?: (parameters: CheckedParameters) => string | undefined;
  /** @param onDrift called with each field that was dropped, relative to `data`. */
  readonly readData: (
    data: unknown,
    onDrift: (field: string) => void,
  ) => ReadData<OperationData[Name]> | undefined;
}

/**
 * What may go on the wire: known parameters that hold something, of a plausible form. Nothing is sent otherwise,
 * because an ignored or an empty filter would be paid for like a wide one.
 * @throws DataServiceError `DATA_SERVICE_INVALID_PARAMETER`
 */
export function checkedParameters<Name extends OperationName>(
  operation: Operation<Name>,
  given: unknown,
): CheckedParameters {
  const refuse = (message: string, parameter?: string): never => {
    throw invalidParameter({ operation: operation.name, message, parameter });
  };
  if (!isObject(given)) return refuse('Parameters must be an object');
  const rules = new Map<string, Rule>(Object.entries(operation.parameters));
  const checked = new Map<string, Checked>();
  for (const [name, value] of Object.entries(given)) {
    if (isAbsent(value)) continue;
    const rule = rules.get(name);
    if (!rule) return refuse(`Unknown parameter: ${name}`, name);
    checked.set(name, rule(value, name));
  }
  const missing = operation.lacks?.(
    Object.fromEntries([...checked].filter(([, { kind }]) => kind !== 'empty')),
  );
  if (missing) return refuse(missing);
  const entries: [string, unknown][] = [];
  for (const [name, result] of checked) {
    if (result.kind === 'refused') return refuse(result.reason, name);
    if (result.kind === 'value') entries.push([name, result.value]);
  }
  return Object.fromEntries(entries);
}

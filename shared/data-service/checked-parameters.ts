import { invalidParameter } from './errors.ts';
import type { CheckedParameters, Operation } from './operation.ts';
import { type Checked, isAbsent, isObject, type Rule } from './parameter-rules.ts';
import type { OperationName } from './types.ts';

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

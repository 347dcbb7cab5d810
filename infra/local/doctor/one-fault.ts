import type { ServiceAccess } from './access-checks.ts';
import { type Check, checkOf, notChecked } from './check.ts';
import { codeOfFault } from './run-check.ts';

/**
 * Reports each HubSpot fault as one failed check with its remedy. Other checks with the same fault refer to this
 * check.
 * @param token the check of the token, which keeps its own, more specific remedy.
 */
export function oneFailPerFault(
  token: Check,
  others: readonly Check[],
  { address: setting, key }: ServiceAccess['setBy'],
): Check[] {
  const first = new Map<string, Check>(token.fault ? [[token.fault.code, token]] : []);
  const merged = others.map((check) => {
    const { name, verdict, seen: said, fault } = check;
    const code = fault && codeOfFault(fault);
    if (verdict !== 'fail' || !fault || !code) return check;
    const cause = first.get(fault.code);
    if (cause) return notChecked(name, fault, cause.name);
    const remedied = checkOf(name, code, { said, setting, key }, fault);
    first.set(fault.code, remedied);
    return remedied;
  });
  return [token, ...merged];
}

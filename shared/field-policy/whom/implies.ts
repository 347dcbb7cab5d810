import { foldText } from '#shared/identity';
import { holds, liesInOne } from './comparison.ts';
import type { PropertyCondition, WhomCondition } from './schemas.ts';

/**
 * Whether every value that meets the narrow condition also meets the wide condition. Returns false if this is not
 * certain.
 */
export function implies(narrow: WhomCondition, wide: WhomCondition): boolean {
  if ('email' in wide) {
    if ('email' in narrow) return narrow.email === wide.email;
    return wide.email === 'none' && narrow.property === 'email' && narrow.blank === true;
  }
  // An address of any kind means that `email` is filled.
  if ('email' in narrow) return narrow.email !== 'none' && wide.property === 'email' && wide.filled === true;
  if (narrow.property !== wide.property || narrow.companyProperty !== wide.companyProperty) return false;
  if (fitsBlank(narrow) && !fitsBlank(wide)) return false;
  return narrow.blank === true || impliesForValues(narrow, wide);
}

export function fitsBlank(condition: PropertyCondition): boolean {
  return condition.blank === true || condition.orBlank === true;
}

/** Like `implies`, for non-blank values. */
function impliesForValues(narrow: PropertyCondition, wide: PropertyCondition): boolean {
  if (wide.filled) return true;
  if (wide.blank || narrow.filled) return false;
  const values = narrow.is === undefined ? narrow.in : [narrow.is];
  if (wide.not !== undefined) return namesAll(narrow.not, wide.not);
  // The value alone does not show whether a date is old enough.
  if (values && wide.before === undefined) return values.every((value) => holds(wide, value, 0));
  if (wide.above !== undefined) return narrow.above !== undefined && narrow.above >= wide.above;
  if (wide.below !== undefined) return narrow.below !== undefined && narrow.below <= wide.below;
  if (wide.before !== undefined) return narrow.before !== undefined && narrow.before >= wide.before;
  const { domain = [] } = wide;
  return narrow.domain?.every((each) => liesInOne(each.replace(/^\./, ''), domain)) === true;
}

type Texts = string | readonly string[];

function namesAll(texts: Texts | undefined, wanted: Texts): boolean {
  const named = new Set([texts ?? []].flat().map(foldText));
  return [wanted].flat().every((text) => named.has(foldText(text)));
}

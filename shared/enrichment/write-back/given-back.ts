import type { CrmRecord } from '#shared/crm';
import type { LastWritten, Mark } from '#shared/field-policy';
import type { RecoveredRecord } from './recover.ts';

/** What people wrote while our write was under way counts as theirs from now on, blank or not. */
export function pinnedOf({ theirs, taken }: RecoveredRecord, mark: Mark): LastWritten {
  const lost = Object.entries(taken).map(([property, { lost }]): [string, string] => [property, lost]);
  const values = [...Object.entries(theirs), ...lost];
  return Object.fromEntries(values.map(([property, value]) => [property, mark(property, value)]));
}

/** What our write took from a person, where it still stands in its place. */
export function backOf({ taken }: RecoveredRecord, { properties }: CrmRecord): Record<string, string> {
  const back = Object.entries(taken).filter(([property, { by }]) => (properties[property] ?? '') === by);
  return Object.fromEntries(back.map(([property, { lost }]) => [property, lost]));
}

import type { CrmRecord } from '#shared/crm/crm-record.ts';

/** Names of the properties that hold something. */
export function namesOfFilled({ properties }: Pick<CrmRecord, 'properties'>): string[] {
  return Object.keys(properties).filter((name) => (properties[name] ?? '').trim() !== '');
}

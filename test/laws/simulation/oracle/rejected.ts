import type { Evidence, Rejected } from './evidence.ts';

const TYPES = { contacts: '0-1', companies: '0-2' } as const;

/** Values that tell a person or a company from others. */
const TELLING = {
  contacts: ['jobtitle', 'hs_linkedin_url', 'mobilephone'],
  companies: ['description', 'linkedin_company_page'],
} as const;

/** After a person has rejected a match, the app writes none of its values to the record again. */
export function rejectedFaults({ agreed, hubSpot, rejected }: Evidence): string[] {
  return rejected.flatMap(({ objectType, id, atMs, values }: Rejected) => {
    const history = hubSpot.records[TYPES[objectType]][id]?.history ?? {};
    const isBack = (property: string) =>
      (history[property] ?? []).some(
        ({ timestamp, sourceId, value }) =>
          timestamp >= atMs &&
          sourceId === String(agreed.appId) &&
          value !== '' &&
          value === values[property],
      );
    return TELLING[objectType]
      .filter(isBack)
      .map(
        (property) => `${property} of ${objectType} ${id} is again that of the rejected person or company`,
      );
  });
}

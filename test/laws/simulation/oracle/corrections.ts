import type { HistoryEntry, StoredRecord } from '../../../../infra/sandbox/hubspot/state.ts';
import type { Evidence } from './evidence.ts';

/**
 * By object type: the property that a person corrects, and the values that then describe the former person or company.
 */
const IDENTITIES = [
  {
    typeId: '0-1',
    kind: 'contacts',
    key: 'email',
    page: 'hs_linkedin_url',
    values: ['firstname', 'lastname', 'jobtitle', 'hs_linkedin_url', 'mobilephone'],
  },
  {
    typeId: '0-2',
    kind: 'companies',
    key: 'domain',
    page: 'linkedin_company_page',
    values: ['name', 'description', 'founded_year', 'linkedin_company_page'],
  },
] as const;

type Identity = (typeof IDENTITIES)[number];

/**
 * After a correction, none of our values describes the former person or company, unless a person is asked to decide.
 */
export function correctionFaults(evidence: Evidence): string[] {
  if (evidence.agreed.hasLateWrites) return [];
  return IDENTITIES.flatMap((identity) =>
    Object.values(evidence.hubSpot.records[identity.typeId]).flatMap((record) =>
      leftOfFormer(evidence, identity, record),
    ),
  );
}

function leftOfFormer(
  { agreed, told, undone, companies, people }: Evidence,
  { kind, key, page, values }: Identity,
  { id, history, values: held }: StoredRecord,
): string[] {
  const isOurs = ({ sourceId }: HistoryEntry) => sourceId === String(agreed.appId);
  const [corrected, before] = history[key] ?? [];
  if (!corrected || !before || isOurs(corrected) || corrected.value === before.value) return [];
  if (before.value === '' || corrected.value === '' || !tellsWhose(corrected.value)) return [];
  // A person who also entered a profile or a page has not corrected that.
  if (history[page]?.some((entry) => !isOurs(entry))) return [];
  const { explained = '{}' } = told.records.find(({ name }) => name === `${kind}/${id}`) ?? {};
  const { outcome, waiting } = JSON.parse(explained);
  const isOver = outcome && !waiting && ['enriched', 'unchanged', 'unmatched'].includes(outcome.kind);
  if (!isOver || held['enrichment_status'] === 'review' || undone.some((one) => one.id === id)) return [];
  const known = [...people, ...companies].find((one) =>
    'job' in one ? one.job.email === corrected.value : one.domains.includes(corrected.value),
  );
  const text = JSON.stringify(known ?? {});
  return values.flatMap((property) => {
    const [newest] = history[property] ?? [];
    const isFormer =
      newest && isOurs(newest) && newest.value !== '' && newest.timestamp < corrected.timestamp;
    return isFormer && !text.includes(newest.value.split('/').at(-1) ?? '')
      ? [`${property} of ${kind} ${id} is left of what it was before its ${key} was corrected`]
      : [];
  });
}

/** A mailbox of one word may belong to any person. */
function tellsWhose(value: string): boolean {
  return !value.includes('@') || /^[a-z]{2,}[._-][a-z]{2,}@/.test(value);
}

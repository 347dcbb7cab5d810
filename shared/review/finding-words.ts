import type { Explanation } from '#shared/ownership';
import { explanationText } from '#shared/records';

/** The reason of a finding for a page, which shows records by their names. */
export interface FindingWords {
  readonly code: string;
  readonly reason: string;
  /** The other records that the reason is about: `contacts#123`. */
  readonly others: readonly string[];
}

/** Returns the reason without ids of records. */
export function findingWords(reason: Explanation): FindingWords {
  const { code, params } = reason;
  const records = code === 'duplicate' ? [params?.['records'] ?? []].flat() : [];
  if (records.length === 0) return { code, reason: explanationText(reason), others: [] };
  return { code, reason: SAME_IDENTITY, others: records.map((each) => String(each).replace('/', '#')) };
}

const SAME_IDENTITY = 'Its address or profile is also that of another record.';

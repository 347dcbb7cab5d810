import { PURPOSES, type Purpose } from '#shared/crm';
import type { SpendRow } from './schemas.ts';

export interface PurposeCredits {
  readonly purpose: Purpose;
  readonly credits: number;
}

/** Lists the purposes with credits, in the order of `PURPOSES`. */
export function creditsByPurpose(rows: readonly SpendRow[]): PurposeCredits[] {
  return PURPOSES.map((purpose) => ({
    purpose,
    credits: sumOf(
      rows.filter((row) => row.purpose === purpose),
      'credits',
    ),
  })).filter(({ credits }) => credits > 0);
}

/** Credits of one operation for one purpose. */
export interface Crossing {
  readonly purpose: Purpose;
  readonly operation: string;
  readonly credits: number;
  /** Number of charges. */
  readonly count: number;
}

/**
 * Lists the pairs of purpose and operation that have a charge. They are sorted by purpose, then most expensive first.
 */
export function byPurposeAndOperation(rows: readonly SpendRow[]): Crossing[] {
  return PURPOSES.flatMap((purpose) => {
    const ofPurpose = rows.filter((row) => row.purpose === purpose);
    return [...Map.groupBy(ofPurpose, ({ operation }) => operation)]
      .map(([operation, ofOperation]): Crossing => {
        return {
          purpose,
          operation,
          credits: sumOf(ofOperation, 'credits'),
          count: sumOf(ofOperation, 'count'),
        };
      })
      .sort((a, b) => b.credits - a.credits || (a.operation < b.operation ? -1 : 1));
  });
}

function sumOf(rows: readonly SpendRow[], column: 'credits' | 'count'): number {
  return rows.reduce((sum, row) => sum + row[column], 0);
}

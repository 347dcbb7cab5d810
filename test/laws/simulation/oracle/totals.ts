import type { Evidence } from './evidence.ts';
import { readCsv } from './ledger-rows.ts';

interface Explained {
  readonly record: string;
  readonly creditsSpent: number;
  readonly mergedFrom?: readonly string[];
  readonly forgottenAt?: string;
}

const CHARGES = new Set(['posted', 'late']);

/**
 * Each record's total is the sum of its charges, and of those of the records that were merged into it. A forgotten record
 * has no link to its questions any more, so a charge that was in doubt at that moment is missing in it.
 */
export function totalFaults({ told }: Evidence): string[] {
  const charges = new Map<string, number>();
  for (const { kind = '', record = '', amountCredits } of readCsv(told.ledger))
    if (CHARGES.has(kind)) charges.set(record, (charges.get(record) ?? 0) + Number(amountCredits));
  return told.records.flatMap(({ explained = '{}' }) => {
    const {
      record = '',
      creditsSpent,
      mergedFrom = [],
      forgottenAt,
    }: Partial<Explained> = JSON.parse(explained);
    const [objectType = '', id = ''] = record.split('/');
    const sum = [id, ...mergedFrom].reduce(
      (all, each) => all + (charges.get(`${objectType}#${each}`) ?? 0),
      0,
    );
    const holds = forgottenAt === undefined ? creditsSpent === sum : (creditsSpent ?? 0) <= sum;
    return creditsSpent === undefined || holds
      ? []
      : [`${record} shows ${creditsSpent} credits, and its charges are ${sum}`];
  });
}

import type { Laptop } from './laptop.ts';

/** What the commands tell of the same month, without the page. */
export interface Books {
  /** `2026-11-22` */
  readonly today: string;
  readonly charges: readonly {
    readonly day: string;
    readonly credits: number;
    /** `portal-1/contacts/123`; absent for a question about no record. */
    readonly record?: string;
  }[];
}

interface Line {
  readonly kind: string;
  readonly day: string;
  readonly amountCredits: number;
  readonly record?: string;
}

export async function readBooks({ command }: Laptop): Promise<Books> {
  const lines = (await command('ledger', 'export', '--json')).trim().split('\n');
  const charges = lines
    .map((line): Line => JSON.parse(line))
    .filter(({ kind }) => kind === 'posted' || kind === 'late')
    .map(({ day, amountCredits: credits, record }) => ({ day, credits, ...(record && { record }) }));
  return { today: new Date().toISOString().slice(0, 10), charges };
}

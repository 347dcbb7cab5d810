import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';

export interface Fact {
  readonly holds: boolean;
  readonly told: string;
}

interface Entry {
  readonly kind: string;
  readonly amountCredits: number;
  readonly reservationId: string;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, credits) => total + credits, 0);

/** Compares three independent books: the proxy's, the data service's own, and the ledger. */
export async function factsOf(
  { creditsPerDay, proxy, services, cli }: Stage,
  kills: number,
): Promise<Fact[]> {
  const { creditsCharged } = await services.bill();
  const entries = (await cli('ledger', 'export', '--json')).trim().split('\n');
  const ledger = booksOf(entries.map((line) => JSON.parse(line) as Entry));
  const listed = JSON.parse(await cli('doubts', 'list', '--json')) as { credits: number }[];
  const charged = proxy.answers.filter(({ credits }) => credits > 0);
  const seen = sum(charged.map(({ credits }) => credits));
  const doubted = sum(listed.map(({ credits }) => credits));
  const paid = charged.map(({ what }) => what);
  const verified = ['ledger', 'runs'].map(async (books) =>
    cli(books, 'verify').then(
      () => ({ holds: true, told: `${books} verify finds nothing` }),
      (error: unknown) => ({ holds: false, told: String(error) }),
    ),
  );
  return [
    fact(
      kills > 0 && charged.length > 0,
      `${charged.length} answers charged, ${kills} kills, ${proxy.cuts()} cuts`,
    ),
    fact(
      proxy.failures.length === 0,
      `the proxy failed ${proxy.failures.length} times ${proxy.failures[0] ?? ''}`,
    ),
    fact(
      seen === creditsCharged,
      `the proxy saw ${seen} credits, the data service charged ${creditsCharged}`,
    ),
    fact(
      ledger.posted <= seen && seen <= ledger.posted + doubted,
      `the ledger has ${ledger.posted} credits posted and ${doubted} in doubt`,
    ),
    fact(
      charged.length - ledger.charges <= listed.length,
      `of ${charged.length} charges ${ledger.charges} are posted, and ${listed.length} doubts listed`,
    ),
    fact(ledger.open === listed.length, `${ledger.open} reservations are left open, each a listed doubt`),
    fact(paid.length === new Set(paid).size, `of ${paid.length} paid requests ${new Set(paid).size} differ`),
    fact(seen <= creditsPerDay, `${seen} of ${creditsPerDay} credits spent`),
    ...(await Promise.all(verified)),
  ];
}

/** By then, each record has ended or waits. */
const SETTLED_MS = 300_000;
const LOOK_MS = 5_000;

/**
 * Checks that each created record has ended or waits five minutes after the last start, and that no message has become
 * a dead letter. A sweep can find records after the queues were empty.
 */
export async function settledFact(
  { cli }: Stage,
  { created, servedMs }: { readonly created: number; readonly servedMs: number },
): Promise<Fact> {
  for (;;) {
    const { records, opened, ended, waiting } = JSON.parse(await cli('runs', 'verify', '--json')) as Runs;
    const { queues } = JSON.parse(await cli('queue', 'status', '--json')) as {
      queues: { deadLetters: number }[];
    };
    const dead = sum(queues.map(({ deadLetters }) => deadLetters));
    const isSettled = records >= created && opened === ended + waiting && dead === 0;
    if (isSettled || performance.now() > servedMs + SETTLED_MS)
      return fact(
        isSettled,
        `${records} records of ${created} created; of ${opened} runs ${ended} ended and ${waiting} wait; ${dead} dead letters`,
      );
    await sleep(LOOK_MS);
  }
}

interface Runs {
  readonly records: number;
  readonly opened: number;
  readonly ended: number;
  readonly waiting: number;
}

/** Adds up the exported lines alone. */
function booksOf(entries: readonly Entry[]) {
  const charges = entries.filter(({ kind }) => kind === 'posted' || kind === 'late');
  const made = entries.filter(({ kind }) => kind === 'pending').map(({ reservationId }) => reservationId);
  const ended = entries.filter(({ kind }) => kind === 'posted' || kind === 'voided');
  const left = new Set(made).difference(new Set(ended.map(({ reservationId }) => reservationId)));
  return {
    posted: sum(charges.map(({ amountCredits }) => amountCredits)),
    charges: charges.filter(({ amountCredits }) => amountCredits > 0).length,
    open: left.size,
  };
}

function fact(holds: boolean, told: string): Fact {
  return { holds, told };
}

import type { LedgerEntry } from '#shared/credit-ledger/schemas.ts';
import { verifyLog } from '#shared/credit-ledger/verify.ts';
import { somebody } from '../builders/people.ts';
import type { World } from '../builders/world.ts';
import type { Plan } from './plan.ts';

/** Every promise that does not hold once all has come to rest, in words. */
export async function brokenLaws(
  world: World,
  { plan, created }: { plan: Plan; created: number },
): Promise<string[]> {
  const log = await world.ledger();
  const verified = await verifyLog(oneByOne(log), { digest: world.services.digest, timeZone: 'UTC' });
  return [
    ...world.violations,
    ...verified.problems.map(({ seq, problem }) => `entry ${seq}: ${problem}`),
    ...booksAgainstBill(world, log),
    ...paidTwice(log),
    ...overRate(world, plan),
    ...(await lost(world, created)),
    ...(await taken(world)),
    ...told(world),
  ];
}

async function* oneByOne(log: readonly LedgerEntry[]) {
  yield* log;
}

/** Posted is what the vendor charged, but for what is doubtful and what people believed of doubts. */
function booksAgainstBill(world: World, log: readonly LedgerEntry[]): string[] {
  const totals = log.at(-1)?.totals.lifetime ?? { posted: 0, pending: 0, doubtful: 0 };
  const believed = (kind: string) =>
    log
      .filter((entry) => entry.kind === kind && isBelief(entry))
      .reduce((sum, { amountCredits }) => sum + amountCredits, 0);
  const least = totals.posted - believed('posted');
  const most = totals.posted + totals.doubtful + believed('voided');
  const charged = world.charged();
  return [
    ...(totals.pending === 0 ? [] : [`${totals.pending} credits are still pending`]),
    ...(charged >= least && charged <= most
      ? []
      : [`charged ${charged}, but booked from ${least} to ${most}`]),
  ];
}

function isBelief({ reason }: LedgerEntry): boolean {
  return reason?.startsWith('resolved: ') ?? false;
}

/** Everything stays fresh for as long as a run lasts: a question of one width is charged once, or once more after a doubt. */
function paidTwice(log: readonly LedgerEntry[]): string[] {
  const charges = log.filter(
    ({ kind, reason }) => kind === 'posted' && (reason === 'match' || reason === 'no-match'),
  );
  const widths = charges.map(({ questionKey, amountCredits }) => `${questionKey} at ${amountCredits}`);
  return [...new Set(widths.filter((width, index) => widths.indexOf(width) !== index))].map(
    (width) => `${width} was paid for twice`,
  );
}

/** With the key to ourselves the vendor never has to refuse us for our rate. */
function overRate({ dataService }: World, { rounds }: Plan): string[] {
  const isOurs = rounds.every(({ serviceFaults }) => serviceFaults.every(({ status }) => status !== 429));
  const refused = dataService.state().bill.byStatus['429'] ?? 0;
  return isOurs && refused > 0 ? [`${refused} requests were over the vendor's rate`] : [];
}

/** Every record ends in an outcome: nothing is queued, held or waiting after so long a calm. */
async function lost(world: World, created: number): Promise<string[]> {
  const states = await world.states();
  const queued = world.queues.live.size() + world.queues.bulk.size();
  return [
    ...states.flatMap(({ objectType, id, run, waiting }) =>
      run ? [`${objectType} ${id} is still open: ${waiting?.reason ?? 'held'}`] : [],
    ),
    ...(states.length < created ? [`${created} records were created, ${states.length} are known`] : []),
    ...(queued === 0 ? [] : [`${queued} messages are left`]),
  ];
}

/** Nobody forgets, deletes or merges anything in our portal as long as a run lasts; another one does. */
async function taken(world: World): Promise<string[]> {
  const states = await world.states();
  return states.flatMap(({ objectType, id, forgottenAtMs, mergedInto, mergedFrom }) =>
    (forgottenAtMs ?? mergedInto ?? mergedFrom) === undefined
      ? []
      : [`${objectType} ${id} was forgotten or merged by another portal`],
  );
}

function told(world: World): string[] {
  const logs = JSON.stringify(world.logs).toLowerCase();
  const people = [0, 1, 2, 3, 4, 5].map((index) => somebody(world, index));
  const personal = people.flatMap(({ networkSlug, job, mobile }) => [networkSlug, job.email, mobile]);
  return personal.flatMap((text) =>
    text !== undefined && logs.includes(text.toLowerCase()) ? ['a log line holds personal data'] : [],
  );
}

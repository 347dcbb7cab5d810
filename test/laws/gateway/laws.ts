import type { LedgerEntry } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import { UpstreamError } from '#shared/kernel';
import { covers } from '#shared/questions';
import { verify } from '../../harness/ledger-logs.ts';
import { StoreFailed } from './stage.ts';
import type { Received } from './vendor.ts';
import { digest, type Running, type World } from './world.ts';

/** Every promise that does not hold once all has come to rest, in words. */
export async function brokenLaws(world: World): Promise<string[]> {
  const log = await world.log();
  const verified = await verify(log, { digest });
  return [
    ...verified.problems.map(({ seq, problem }) => `entry ${seq}: ${problem}`),
    ...world.stampedAhead,
    ...askedTwice(world),
    ...booksAgainstBill(world, log),
    ...overBudget(world, log),
    ...(await leftOpen(world, log)),
    ...wrongAnswers(world),
    ...(await undisclosed(world)),
  ];
}

/** A request that was answered, or whose answer is unknown, is disclosed. So may be one that was marked and never sent. */
async function undisclosed({ vendor, disclosed }: World): Promise<string[]> {
  const told = vendor.received.filter(
    ({ question, reply }) => question.operation === 'personProfile' && /^(?:found|no-match|lost)/.test(reply),
  );
  const checks = [...Map.groupBy(told, ({ questionKey }) => questionKey)].map(async ([key, requests]) => {
    const count = await disclosed(key);
    return count >= requests.length ? [] : [`${requests.length} requests, ${count} of them disclosed`];
  });
  return (await Promise.all(checks)).flat();
}

/**
 * A request may follow another for the same question only when the first proved that nothing was charged, when its
 * answer does not serve the second, or when somebody resolved one of the two. Two of them never run side by side.
 */
function askedTwice({ vendor, resolutions }: World): string[] {
  const resolvedAt = (id: string) =>
    resolutions.find(({ reservationId }) => reservationId === id)?.moment ?? Number.POSITIVE_INFINITY;
  return vendor.received.flatMap((second, index) =>
    vendor.received.slice(0, index).flatMap((first) => {
      if (first.questionKey !== second.questionKey) return [];
      if (resolvedAt(first.reservationId) < second.moment) return [];
      if (resolvedAt(second.reservationId) < second.moment) return [];
      const what = `${second.asker} asks [${second.question.options}] after ${first.asker} [${first.question.options}]`;
      if (first.endedAt === undefined || first.endedAt > second.moment)
        return [`${what}, which is still on its way (${first.reply})`];
      if (first.reply.startsWith('lost')) return [`${what}, with an unknown outcome`];
      const answered = first.reply === 'found' || first.reply === 'no-match';
      if (!answered || !covers(first.question.options, second.question.options)) return [];
      return [`${what}, which was answered (${first.reply})`];
    }),
  );
}

/** Per reservation, and not only in sum, so that two errors cannot make up for each other. */
function booksAgainstBill(world: World, log: readonly LedgerEntry[]): string[] {
  const pending = log.filter(({ kind }) => kind === 'pending');
  const isReserved = (id: string) => pending.some(({ reservationId }) => reservationId === id);
  const unreserved = world.vendor.received.filter(({ reservationId }) => !isReserved(reservationId));
  return [
    ...unreserved.map(({ reservationId }) => `${reservationId} was sent without a reservation`),
    ...pending.flatMap((entry) => misbooked(world, log, entry)),
  ];
}

function misbooked(
  { vendor, resolutions, ...world }: World,
  log: readonly LedgerEntry[],
  { reservationId: id = '', amountCredits: worst }: LedgerEntry,
): string[] {
  const requests = vendor.received.filter(({ reservationId }) => reservationId === id);
  const charged = requests.reduce((sum, { credits }) => sum + credits, 0);
  const booked = bookedFor(log, id);
  if (log.at(-1)?.open.some((each) => each.id === id)) {
    const isWithin = booked === 0 && charged <= worst;
    return isWithin ? [] : [`${id} is open at ${worst}: charged ${charged}, booked ${booked}`];
  }
  if (booked === charged) return [];
  const resolution = resolutions.find(({ reservationId }) => reservationId === id);
  const believed = resolution?.credits;
  if (booked === believed && !isProved(world, { id, requests })) return [];
  return [`${id}: charged ${charged}, booked ${booked}, resolved as ${believed}`];
}

/** Whether the asker lived to hear, and its store let it say, what its request came to. */
function isProved(
  { started, senders }: Pick<World, 'started' | 'senders'>,
  { id, requests }: { id: string; requests: readonly Received[] },
): boolean {
  const sender = started.filter(({ actor }) => actor.name === senders.get(id));
  const isHeard = requests.every(({ reply, endedAt }) => endedAt !== undefined && !reply.startsWith('lost'));
  const couldSay = ({ isDone, actor, error }: Running<unknown>) =>
    isDone() && !actor.isKilled() && !(error instanceof StoreFailed);
  return isHeard && sender.every(couldSay);
}

function bookedFor(log: readonly LedgerEntry[], id: string): number {
  return log.reduce((sum, { kind, reservationId, id: entryId, amountCredits }) => {
    if (reservationId === id && (kind === 'posted' || kind === 'late')) return sum + amountCredits;
    return kind === 'adjustment' && entryId.startsWith(`${id}:`) ? sum - amountCredits : sum;
  }, 0);
}

/** Adds up every prefix of the log anew, late charges left out: they are facts that no budget could stop. */
function overBudget({ budgets }: World, log: readonly LedgerEntry[]): string[] {
  const held = new Map<string, { day: string; purpose: Purpose; credits: number }>();
  const problems: string[] = [];
  for (const { kind, reservationId: id, day, purpose, amountCredits, seq } of log) {
    if (id === undefined || purpose === undefined || kind === 'late') continue;
    held.set(id, { day, purpose, credits: kind === 'voided' ? 0 : amountCredits });
    const spent = (period: string, of?: Purpose) =>
      [...held.values()]
        .filter((each) => each.day.startsWith(period) && (of === undefined || each.purpose === of))
        .reduce((sum, { credits }) => sum + credits, 0);
    const limits = [
      [budgets.perDay, spent(day)],
      [budgets.perMonth, spent(day.slice(0, 7))],
      [budgets.purposes?.[purpose]?.perDay, spent(day, purpose)],
      [budgets.purposes?.[purpose]?.perMonth, spent(day.slice(0, 7), purpose)],
    ] as const;
    for (const [limit, used] of limits)
      if (limit !== undefined && used > limit) problems.push(`entry ${seq}: ${used} used of ${limit}`);
  }
  return problems;
}

/** What stays open is a doubt, and its question says so, and the other way round: somebody can resolve it. */
export async function leftOpen({ item }: World, log: readonly LedgerEntry[]): Promise<string[]> {
  const newest = log.at(-1);
  const open = newest?.open ?? [];
  const problems = open.flatMap(({ id, state }) => (state === 'doubtful' ? [] : [`${id} is still ${state}`]));
  const ends = new Map(
    log.flatMap((entry) => (isStep(entry) ? [[entry.reservationId, entry] as const] : [])),
  );
  const doubts = [...ends.values()].filter(({ kind }) => kind === 'doubtful');
  if (open.length !== doubts.length) problems.push(`${open.length} doubts listed of ${doubts.length}`);
  for (const key of new Set(log.flatMap(({ questionKey }) => questionKey ?? []))) {
    const attempt = (await item(key))?.attempt;
    const listed = doubts.filter(({ questionKey }) => questionKey === key).map((each) => each.reservationId);
    const doubted = attempt?.state === 'in-doubt' ? [attempt.reservationId] : [];
    if (listed.join() !== doubted.join()) problems.push(`listed as doubts: ${listed}, doubted: ${doubted}`);
    if (attempt?.state === 'in-flight')
      problems.push(`${attempt.reservationId} was sent, and nobody looks after it`);
  }
  return problems;
}

type Step = LedgerEntry & { readonly reservationId: string };

/** Whether an entry moves a reservation on. */
function isStep(entry: LedgerEntry): entry is Step {
  return (
    entry.reservationId !== undefined && ['pending', 'posted', 'voided', 'doubtful'].includes(entry.kind)
  );
}

function wrongAnswers({ started }: World): string[] {
  return started.flatMap(({ actor, error, isDone }) => {
    // A person whose clock is wrong is refused.
    if (actor.name === 'person' && error instanceof UpstreamError && error.code === 'CLOCK_WRONG') return [];
    // What its store does to it an asker may tell, once it has done so.
    if (error instanceof StoreFailed) return [];
    if (error !== undefined) return [`${actor.name} threw ${error}`];
    return isDone() ? [] : [`${actor.name} never came to an end`];
  });
}

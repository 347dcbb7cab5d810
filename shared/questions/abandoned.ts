import type { OpenReservation } from '../credit-ledger/entries.ts';
import { assert, unreachable } from '../kernel/errors.ts';
import type { Versioned } from '../versioned-items/store.ts';
import { bookVerdict } from './ask/book.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { type Asking, nextFence, type QuestionItem, reservationId } from './item.ts';
import { QUESTION_OPERATIONS } from './question.ts';

export interface AbandonedReport {
  readonly voided: number;
  readonly booked: number;
  readonly doubts: number;
  /** Still within their time, or already known as doubts. */
  readonly left: number;
}

type Deps = Pick<GatewayDeps, 'items' | 'ledger' | 'clock'>;
type Finish = keyof AbandonedReport;

/**
 * Finishes what askers left open: from the open reservations of the newest ledger entry to their questions.
 * Unsent ones are fenced off, then voided; stored verdicts are booked; requests without a verdict whose time
 * is over become doubts.
 * @throws the first error, when every reservation has had its turn.
 * @param graceMs how long after its deadline an asker may still come back with an answer.
 */
export async function finishAbandoned(
  deps: Deps,
  { graceMs }: { graceMs: number },
): Promise<AbandonedReport> {
  const report = { voided: 0, booked: 0, doubts: 0, left: 0 };
  const errors: unknown[] = [];
  for (const open of await deps.ledger.openReservations()) {
    try {
      report[await finishOne(deps, { open, graceMs })] += 1;
    } catch (error) {
      // One item that cannot be read does not keep the others open.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return report;
}

async function finishOne(
  deps: Deps,
  { open, graceMs }: { open: OpenReservation; graceMs: number },
): Promise<Finish> {
  const stored = await deps.items.read(open.questionKey);
  if (!stored) return (await restoreDoubt(deps, open)) ? 'doubts' : 'left';
  const { asking } = stored.value;
  if (!asking || reservationId(open.questionKey, asking.fence) !== open.id) {
    return open.state === 'doubtful' ? 'left' : voidUnsent(deps, open, graceMs);
  }
  const nowMs = deps.clock.now();
  switch (asking.state) {
    case 'leased':
      if (nowMs < asking.leaseUntilMs) return 'left';
      return (await fence(deps, stored)) ? voidUnsent(deps, open, 0) : 'left';
    case 'settled':
      await bookVerdict(deps, asking);
      return 'booked';
    case 'sent':
      if (nowMs < (asking.deadlineAtMs ?? 0) + graceMs) return 'left';
      return (await declareDoubt(deps, { stored, asking })) ? 'doubts' : 'left';
    case 'doubt':
      if (open.state === 'doubtful') return 'left';
      await deps.ledger.apply({ kind: 'doubt', reservationId: open.id, reason: 'no-answer' });
      return 'doubts';
    default:
      return unreachable(asking.state);
  }
}

/** A reservation whose question has another asking was never sent. A young one may still be on its way there. */
async function voidUnsent(deps: Deps, open: OpenReservation, graceMs: number): Promise<Finish> {
  if (deps.clock.now() < open.atMs + graceMs) return 'left';
  await deps.ledger.apply({ kind: 'void', reservationId: open.id, reason: 'abandoned' });
  return 'voided';
}

async function fence(deps: Deps, { value, version }: Versioned<QuestionItem>): Promise<boolean> {
  const { asking: _, ...free } = value;
  const fenced = { ...free, fence: nextFence(value, deps.clock.now()) };
  return (await deps.items.write({ key: value.key, value: fenced, expectedVersion: version })) === 'written';
}

async function declareDoubt(
  deps: Deps,
  { stored, asking }: { stored: Versioned<QuestionItem>; asking: Asking },
): Promise<boolean> {
  const { value, version } = stored;
  const doubtful = { ...value, asking: { ...asking, state: 'doubt' as const } };
  if ((await deps.items.write({ key: value.key, value: doubtful, expectedVersion: version })) === 'conflict')
    return false;
  await deps.ledger.apply({ kind: 'doubt', reservationId: asking.reservationId, reason: 'no-answer' });
  return true;
}

/**
 * A question has an item before it has a reservation, and the item outlives it by days. Where it is gone, no sweep
 * came for so long that the verdict went with it: nobody can know the charge, so it is a doubt that a person can
 * resolve, under an item made anew.
 */
async function restoreDoubt(deps: Deps, open: OpenReservation): Promise<boolean> {
  const { id, questionKey: key, purpose, amountCredits: worstCaseCredits, atMs } = open;
  const operation = QUESTION_OPERATIONS.find((each) => each === open.operation);
  assert(operation, 'what is reserved is a question');
  const fence = Number(id.slice(id.lastIndexOf(':') + 1));
  const asking = {
    fence,
    state: 'doubt' as const,
    purpose,
    options: [],
    reservationId: id,
    worstCaseCredits,
  };
  const value = { key, operation, fence, asking: { ...asking, leaseUntilMs: atMs, deadlineAtMs: atMs } };
  if ((await deps.items.write({ key, value, expectedVersion: 0 })) === 'conflict') return false;
  await deps.ledger.apply({ kind: 'doubt', reservationId: id, reason: 'no-answer' });
  return true;
}

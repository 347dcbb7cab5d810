import type { OpenReservation } from '#shared/credit-ledger/schemas.ts';
import { unreachable } from '#shared/kernel/errors.ts';
import { change } from '#shared/versioned-items/change.ts';
import { bookOutcome } from './ask/book.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { Attempt, QuestionItem } from './schemas.ts';
import { doubt, expire, restoreDoubt } from './transitions.ts';

export interface AbandonedReport {
  readonly voided: number;
  readonly booked: number;
  readonly doubts: number;
  /** Still within their time, or already known as doubts. */
  readonly left: number;
}

type Services = Pick<GatewayServices, 'items' | 'ledger' | 'clock'>;

/**
 * Finishes what askers left open: from the open reservations of the newest ledger entry to their questions.
 * Unsent ones are fenced off, then voided; stored charges are booked; requests without an outcome whose time
 * is over become doubts.
 * @throws the first error, when every reservation has had its turn.
 * @param graceMs how long after its deadline an asker may still come back with an answer.
 */
export async function finishAbandoned(
  services: Services,
  { graceMs }: { graceMs: number },
): Promise<AbandonedReport> {
  const report = { voided: 0, booked: 0, doubts: 0, left: 0 };
  const errors: unknown[] = [];
  for (const open of await services.ledger.openReservations()) {
    try {
      report[await finishOne(services, { open, graceMs })] += 1;
    } catch (error) {
      // One item that cannot be read does not keep the others open.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return report;
}

interface Left {
  readonly open: OpenReservation;
  readonly graceMs: number;
}

async function finishOne({ items, ledger, clock }: Services, left: Left): Promise<keyof AbandonedReport> {
  const { id: reservationId, questionKey: key } = left.open;
  const due = await change(items, { key, kind: 'question', clock }, (item) =>
    whatIsDue(item, { ...left, nowMs: clock.now() }),
  );
  if (due.finish === 'voided') await ledger.apply({ kind: 'void', reservationId, reason: 'abandoned' });
  if (due.finish === 'doubts') await ledger.apply({ kind: 'doubt', reservationId, reason: 'no-answer' });
  if (due.finish === 'booked') await bookOutcome({ ledger }, due.attempt);
  return due.finish;
}

type Due =
  | { readonly finish: 'voided' | 'doubts' | 'left'; readonly value?: QuestionItem | undefined }
  | { readonly finish: 'booked'; readonly attempt: Attempt; readonly value?: undefined };

function whatIsDue(item: QuestionItem | undefined, { open, graceMs, nowMs }: Left & { nowMs: number }): Due {
  if (!item) return { finish: 'doubts', value: restoreDoubt(item, open).value };
  const { attempt } = item;
  const isListed = open.state === 'doubtful';
  // A reservation whose question has another attempt was never sent. A young one may still be on its way there.
  if (!attempt || attempt.reservationId !== open.id)
    return { finish: isListed || nowMs < open.atMs + graceMs ? 'left' : 'voided' };
  switch (attempt.state) {
    case 'leased': {
      const { value } = expire(item, { nowMs });
      return value ? { finish: 'voided', value } : { finish: 'left' };
    }
    case 'completed':
      return { finish: 'booked', attempt };
    case 'in-flight':
      if (nowMs < (attempt.deadlineAtMs ?? 0) + graceMs) return { finish: 'left' };
      return { finish: 'doubts', value: doubt(item, attempt).value };
    case 'in-doubt':
      return { finish: isListed ? 'left' : 'doubts' };
    default:
      return unreachable(attempt.state);
  }
}

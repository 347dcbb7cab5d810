import type { Appended } from '../../credit-ledger/ledger.ts';
import { assert } from '../../kernel/errors.ts';
import type { GatewayDeps, KeyedRequest } from '../gateway-deps.ts';
import type { Asking } from '../item.ts';

type Charge = NonNullable<Asking['charge']>;

/**
 * Books the end of an asking as its item tells it: posted, voided where nothing was charged, or doubtful. Safe
 * to repeat, by whoever finds it: a reservation that is no longer open has been booked already.
 */
export async function bookVerdict(deps: Pick<GatewayDeps, 'ledger'>, asking: Asking): Promise<void> {
  const { reservationId, charge, state } = asking;
  if (state === 'doubt') {
    await deps.ledger.apply({ kind: 'doubt', reservationId, reason: 'no-answer' });
    return;
  }
  assert(charge, 'a settled asking says what it was charged');
  await close(deps, reservationId, charge);
}

/**
 * Books what an answer proves that came after its doubt was resolved. What a person, or the policy, believed has
 * been booked and is never edited: a charge that was taken for none is booked late, and one that turns out to
 * have been smaller is put right by an adjustment.
 */
export async function bookLateVerdict(
  deps: GatewayDeps,
  request: KeyedRequest,
  asking: Asking,
): Promise<void> {
  const { reservationId, charge, purpose } = asking;
  if (!charge) return;
  if ((await close(deps, reservationId, charge)).kind !== 'not-open') return;
  const bookedCredits = await deps.ledger.chargedFor(reservationId);
  const { credits, reason } = charge;
  if (bookedCredits === credits) return;
  if (bookedCredits > 0) {
    const amountCredits = bookedCredits - credits;
    const correction = { id: `${reservationId}:proved`, amountCredits, reason: `proved: ${reason}` };
    await deps.ledger.apply({ kind: 'adjust', ...correction });
    return;
  }
  const { operation } = request.question;
  await deps.ledger.apply({
    kind: 'late',
    reservationId,
    questionKey: request.key,
    operation,
    purpose,
    amountCredits: credits,
    reason,
  });
}

function close(
  { ledger }: Pick<GatewayDeps, 'ledger'>,
  reservationId: string,
  { credits: amountCredits, reason }: Charge,
): Promise<Appended> {
  return ledger.apply(
    amountCredits > 0
      ? { kind: 'post', reservationId, amountCredits, reason }
      : { kind: 'void', reservationId, reason },
  );
}

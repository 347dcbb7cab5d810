import type { Versioned } from '#shared/versioned-items/store.ts';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../price.ts';
import type { Attempt, QuestionItem } from '../schemas.ts';
import { STOP_SENTENCES } from '../stop-sentences.ts';
import { type Lease, lease } from '../transitions.ts';
import { finishAttempt } from './book.ts';
import { type Held, writeHeld } from './held.ts';
import { refusedByBooks } from './reserve.ts';

/** What comes of reaching for a question; `busy`: its holder was to give way, but nothing can be asked now. */
type Reached =
  | Held
  | AskResult
  | { readonly kind: 'again' }
  | { readonly kind: 'busy'; readonly holder: Attempt };

/**
 * Step 2: one conditional write that raises the fencing token. The attempt before it is never forgotten: a charge
 * that may not have been booked is booked first, and an unsent lease's reservation is voided after its holder has
 * been fenced off.
 */
export async function leaseQuestion(
  services: GatewayServices,
  request: KeyedRequest,
  stored: Versioned<QuestionItem> | undefined,
): Promise<Reached> {
  const previous = stored?.value.attempt;
  const refused = await refusedBeforehand(services, request, previous);
  if (refused) return refused;
  if (stored && previous?.state === 'completed') await finishAttempt(services, stored.value);
  const leased = lease(stored?.value, leaseOf(services, request));
  if (leased.kind === 'refused') return { kind: 'again' };
  const held = await writeHeld(services, { version: stored?.version ?? 0 }, leased.value);
  if (!held) return { kind: 'again' };
  if (previous?.state === 'leased') {
    await services.ledger.apply({ kind: 'void', reservationId: previous.reservationId, reason: 'abandoned' });
  }
  return held;
}

function leaseOf({ clock, policy }: GatewayServices, { key, question, purpose }: KeyedRequest): Lease {
  const { operation, options } = question;
  const nowMs = clock.now();
  const worstCaseCredits = priceOfQuestion(question);
  return { key, operation, options, purpose, worstCaseCredits, nowMs, leaseUntilMs: nowMs + policy.leaseMs };
}

/**
 * Looks at breakers and budget before anything is written: records by the thousand may be waiting for a new day.
 * What an abandoned lease still holds of the budget comes free with it, so there only the reservation itself can
 * tell; and whoever cannot ask instead of a living holder had better wait for its answer.
 */
async function refusedBeforehand(
  services: GatewayServices,
  request: KeyedRequest,
  previous: Attempt | undefined,
): Promise<AskResult | { kind: 'busy'; holder: Attempt } | undefined> {
  const holder = previous?.state === 'leased' ? previous : undefined;
  const isAlive = holder !== undefined && services.clock.now() < holder.leaseUntilMs;
  const overBudget = holder && !isAlive ? undefined : await refusedByBooks(services, request);
  const refused = overBudget ?? (await refusedByBreakers(services, request));
  return refused && isAlive ? { kind: 'busy', holder } : refused;
}

async function refusedByBreakers(
  services: GatewayServices,
  { question }: KeyedRequest,
): Promise<AskResult | undefined> {
  const passage = await services.breakers.pass(priceOfQuestion(question));
  if (passage.kind === 'pass') return undefined;
  const { reason, untilMs } = passage;
  return { kind: 'waiting', reason, untilMs, detail: STOP_SENTENCES[reason] };
}

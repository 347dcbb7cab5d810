import type { Versioned } from '../../versioned-items/store.ts';
import type { AskResult } from '../asking-types.ts';
import type { GatewayDeps, KeyedRequest } from '../gateway-deps.ts';
import { type Asking, nextFence, type QuestionItem, reservationId } from '../item.ts';
import { priceOfQuestion } from '../price.ts';
import { bookVerdict } from './book.ts';
import type { Leased } from './leased.ts';
import { refusalResult } from './refusal.ts';

/** What comes of reaching for a question; `busy`: its holder was to give way, but nothing can be asked now. */
type Reached =
  | Leased
  | AskResult
  | { readonly kind: 'again' }
  | { readonly kind: 'busy'; readonly holder: Asking };

/**
 * Step 2: one conditional write that raises the fence. The asking before it is never forgotten: a verdict that
 * may not have been booked is booked first, and an unsent lease's reservation is voided after its holder has
 * been fenced off.
 */
export async function leaseQuestion(
  deps: GatewayDeps,
  request: KeyedRequest,
  stored: Versioned<QuestionItem> | undefined,
): Promise<Reached> {
  const previous = stored?.value.asking;
  const refused = await refusedBeforehand(deps, request, previous);
  if (refused) return refused;
  if (previous?.state === 'settled') await bookVerdict(deps, previous);
  const asking = newAsking(deps, request, nextFence(stored?.value, deps.clock.now()));
  const { key, question } = request;
  const item: QuestionItem = {
    ...(stored?.value ?? { key, operation: question.operation }),
    fence: asking.fence,
    asking,
  };
  const version = stored?.version ?? 0;
  const written = await deps.items.write({ key, value: item, expectedVersion: version });
  if (written === 'conflict') return { kind: 'again' };
  if (previous?.state === 'leased') {
    await deps.ledger.apply({ kind: 'void', reservationId: previous.reservationId, reason: 'abandoned' });
  }
  return { kind: 'leased', item, asking, version: version + 1 };
}

/**
 * Looks at breakers and budget before anything is written: records by the thousand may be waiting for a new day.
 * What an abandoned lease still holds of the budget comes free with it, so there only the reservation itself can
 * tell; and whoever cannot ask instead of a living holder had better wait for its answer.
 */
async function refusedBeforehand(
  deps: GatewayDeps,
  request: KeyedRequest,
  previous: Asking | undefined,
): Promise<AskResult | { kind: 'busy'; holder: Asking } | undefined> {
  const holder = previous?.state === 'leased' ? previous : undefined;
  const isAlive = holder !== undefined && deps.clock.now() < holder.leaseUntilMs;
  const overBudget = holder && !isAlive ? undefined : await refusedByBooks(deps, request);
  const refused = overBudget ?? (await refusedByBreakers(deps, request));
  return refused && isAlive ? { kind: 'busy', holder } : refused;
}

async function refusedByBooks(deps: GatewayDeps, request: KeyedRequest): Promise<AskResult | undefined> {
  const { key: questionKey, purpose, question } = request;
  const decision = await deps.ledger.preview({
    kind: 'reserve',
    reservationId: '',
    questionKey,
    operation: question.operation,
    purpose,
    amountCredits: priceOfQuestion(question),
  });
  return refusalResult(decision, deps.clock.now());
}

async function refusedByBreakers(
  deps: GatewayDeps,
  { question }: KeyedRequest,
): Promise<AskResult | undefined> {
  const passage = await deps.breakers.pass(priceOfQuestion(question));
  if (passage.kind === 'pass') return undefined;
  const { reason, untilMs } = passage;
  return { kind: 'waiting', reason, untilMs, detail: BREAKER_DETAILS[reason] };
}

const BREAKER_DETAILS = {
  'key-refused': 'The data service refuses the API key.',
  'out-of-credits': "The data service's own balance does not pay for this question.",
  'too-many-doubts': 'Several requests in a row were left without an answer; one is tried now and then.',
} as const;

function newAsking(deps: GatewayDeps, { key, question, purpose }: KeyedRequest, fence: number): Asking {
  return {
    fence,
    state: 'leased',
    purpose,
    options: question.options,
    reservationId: reservationId(key, fence),
    worstCaseCredits: priceOfQuestion(question),
    leaseUntilMs: deps.clock.now() + deps.policy.leaseMs,
  };
}

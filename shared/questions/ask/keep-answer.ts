import { allKeys, type IdentifierKeys } from '../../privacy/identifiers.ts';
import { linkPeople } from '../../privacy/links.ts';
import { isAboutOne, peopleIn, withoutPeople } from '../../privacy/people-in-answer.ts';
import { purgeQuestion, withheld } from '../../privacy/stored-people.ts';
import { partsExpiry } from '../expiry.ts';
import type { GatewayDeps, KeyedRequest } from '../gateway-deps.ts';
import type { Asking, StoredAnswer } from '../item.ts';
import { packAnswer } from '../packed-answers.ts';
import type { CallResult } from '../paid-calls.ts';

/** An answer as it is stored, and its record while it is at hand. */
export interface Kept {
  readonly answer: StoredAnswer;
  readonly record?: Readonly<Record<string, unknown>> | undefined;
}

interface Found {
  readonly asking: Asking;
  readonly result: CallResult & { readonly kind: 'found' };
  readonly credits: number;
}

/**
 * Makes what was answered ready to be stored: without anybody who is forgotten, with the ways that lead from its
 * people to it, and with its parts where it is large. All this comes before the verdict: an answer that is stored
 * can be found and purged.
 */
export async function prepareAnswer(
  deps: GatewayDeps,
  request: KeyedRequest,
  { asking, result, credits }: Found,
): Promise<Kept> {
  const { key: questionKey, question } = request;
  const { operation, options } = question;
  const askedAtMs = asking.sentAtMs ?? deps.clock.now();
  const expiresAtMs = askedAtMs + deps.policy.freshnessMs[operation];
  const bare = { options, askedAtMs, expiresAtMs, credits, misses: 0 };
  const record = await withoutForgotten(deps, request, result.record);
  if (!record) return { answer: withheld(bare) };
  const people = peopleIn({ operation, record }, deps.digest);
  const untilMs = partsExpiry(expiresAtMs);
  await linkPeople(deps.sideItems, { people, questionKey, untilMs, nowMs: deps.clock.now() });
  const packed = await packAnswer(deps, { id: asking.reservationId, operation, record, expiresAtMs });
  return { answer: { kind: 'found', ...bare, ...packed }, record };
}

/**
 * Looks once more after the answer is stored. Somebody may have been forgotten while it was on its way: either their
 * tombstone is seen here, or it came later, and then so did the purge, which finds what is stored.
 */
export async function removeForgotten(deps: GatewayDeps, request: KeyedRequest, kept: Kept): Promise<Kept> {
  if (!kept.record) return kept;
  const gone = await forgottenIn(deps, request, kept.record);
  if (gone.size === 0) return kept;
  await purgeQuestion(deps, request.key, gone);
  const record = rest(deps, request, { record: kept.record, gone });
  return record ? { answer: kept.answer, record } : { answer: withheld(kept.answer) };
}

type AnswerRecord = Readonly<Record<string, unknown>>;

async function withoutForgotten(deps: GatewayDeps, request: KeyedRequest, record: AnswerRecord) {
  const gone = await forgottenIn(deps, request, record);
  return gone.size === 0 ? record : rest(deps, request, { record, gone });
}

async function forgottenIn(
  { tombstones, digest }: GatewayDeps,
  { key, question: { operation } }: KeyedRequest,
  record: AnswerRecord,
): Promise<ReadonlySet<string>> {
  const keys = peopleIn({ operation, record }, digest).flatMap(allKeys);
  return new Set(await tombstones.among(isAboutOne(operation) ? [...keys, key] : keys));
}

/** What may be known of a record; nothing, where it is all about somebody who is gone. */
function rest(
  { digest }: GatewayDeps,
  { question: { operation } }: KeyedRequest,
  { record, gone }: { record: AnswerRecord; gone: ReadonlySet<string> },
): AnswerRecord | undefined {
  if (isAboutOne(operation)) return undefined;
  const people = peopleIn({ operation, record }, digest);
  const isGone = (person: IdentifierKeys | undefined) =>
    person !== undefined && allKeys(person).some((key) => gone.has(key));
  return withoutPeople({ operation, record }, (index) => isGone(people[index]));
}

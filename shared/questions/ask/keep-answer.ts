import { partsExpiry } from '../expiry.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { packAnswer } from '../packed-answers.ts';
import type { CallResult } from '../paid-calls.ts';
import { allKeys, type IdentifierKeys } from '../people/identifiers.ts';
import { linkPeople } from '../people/links.ts';
import { isAboutOne, peopleIn, withoutPeople } from '../people/people-in-answer.ts';
import { purgeQuestion } from '../people/stored-people.ts';
import type { Attempt, StoredAnswer } from '../schemas.ts';
import { foundAnswer, withheld } from '../stored-answers.ts';

/** An answer as it is stored, and its record while it is at hand. */
export interface Kept {
  readonly answer: StoredAnswer;
  readonly record?: Readonly<Record<string, unknown>> | undefined;
}

interface Found {
  readonly attempt: Attempt;
  readonly result: CallResult & { readonly kind: 'found' };
  readonly credits: number;
}

/**
 * Makes what was answered ready to be stored: without anybody who is forgotten, with the ways that lead from its
 * people to it, and with its parts where it is large. All this comes before the outcome: an answer that is stored
 * can be found and purged.
 */
export async function prepareAnswer(
  services: GatewayServices,
  request: KeyedRequest,
  { attempt, result, credits }: Found,
): Promise<Kept> {
  const { key: questionKey, question } = request;
  const { operation, options } = question;
  const askedAtMs = attempt.sentAtMs ?? services.clock.now();
  const expiresAtMs = askedAtMs + services.policy.freshnessMs[operation];
  const asked = { options, askedAtMs, expiresAtMs, credits };
  const record = await withoutForgotten(services, request, result.record);
  if (!record) return { answer: withheld(asked) };
  const people = peopleIn({ operation, record }, services.digest);
  const untilMs = partsExpiry(expiresAtMs);
  await linkPeople(services, { people, questionKey, untilMs });
  const packed = await packAnswer(services, { id: attempt.reservationId, operation, record, expiresAtMs });
  return { answer: foundAnswer(asked, packed), record };
}

/**
 * Looks once more after the answer is stored. Somebody may have been forgotten while it was on its way: either their
 * mark of a forgetting is seen here, or it came later, and then so did the purge, which finds what is stored.
 */
export async function removeForgotten(
  services: GatewayServices,
  request: KeyedRequest,
  kept: Kept,
): Promise<Kept> {
  if (!kept.record) return kept;
  const gone = await forgottenIn(services, request, kept.record);
  if (gone.size === 0) return kept;
  await purgeQuestion(services, request.key, gone);
  const record = rest(services, request, { record: kept.record, gone });
  return record ? { answer: kept.answer, record } : { answer: withheld(kept.answer) };
}

type AnswerRecord = Readonly<Record<string, unknown>>;

async function withoutForgotten(services: GatewayServices, request: KeyedRequest, record: AnswerRecord) {
  const gone = await forgottenIn(services, request, record);
  return gone.size === 0 ? record : rest(services, request, { record, gone });
}

async function forgottenIn(
  { suppressionList, digest }: GatewayServices,
  { key, question: { operation } }: KeyedRequest,
  record: AnswerRecord,
): Promise<ReadonlySet<string>> {
  const keys = peopleIn({ operation, record }, digest).flatMap(allKeys);
  return new Set(await suppressionList.among(isAboutOne(operation) ? [...keys, key] : keys));
}

/** What may be known of a record; nothing, where it is all about somebody who is gone. */
function rest(
  { digest }: GatewayServices,
  { question: { operation } }: KeyedRequest,
  { record, gone }: { record: AnswerRecord; gone: ReadonlySet<string> },
): AnswerRecord | undefined {
  if (isAboutOne(operation)) return undefined;
  const people = peopleIn({ operation, record }, digest);
  const isGone = (person: IdentifierKeys | undefined) =>
    person !== undefined && allKeys(person).some((key) => gone.has(key));
  return withoutPeople({ operation, record }, (index) => isGone(people[index]));
}

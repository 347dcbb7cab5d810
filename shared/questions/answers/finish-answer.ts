import { HOUR_MS } from '#shared/kernel';
import type { GatewayServices } from '../gateway-services.ts';
import { unpackAnswer } from '../packed-answers.ts';
import { namesOfFields, SENT_BY } from '../people/disclosure-transitions.ts';
import { disclosedPerson } from '../people/disclosures.ts';
import { allKeys, type IdentifierKeys, NO_IDENTIFIERS } from '../people/identifiers.ts';
import { linkPeople } from '../people/links.ts';
import { isAboutOne, peopleIn, withoutPeople } from '../people/people-in-answer.ts';
import { purgeQuestion, sharingAny } from '../people/stored-people.ts';
import type { QuestionItem, StoredAnswer } from '../schemas.ts';
import { answersOf, partsExpiry, withheld } from '../stored-answers.ts';
import { distributeAnswer } from './distribute-answer.ts';

/** A stored answer, with its record if the caller has unpacked it. */
export interface AnswerAndRecord {
  readonly answer: StoredAnswer;
  readonly record?: AnswerRecord | undefined;
}

type AnswerRecord = Readonly<Record<string, unknown>>;
type Asked = Pick<QuestionItem, 'key' | 'operation' | 'attempt'>;

export type FinishServices = Pick<
  GatewayServices,
  'items' | 'sideItems' | 'suppressionList' | 'disclosures' | 'clock' | 'digest' | 'packing'
>;

/**
 * Runs after an answer is stored with its charge:
 * 1. notes the obtained fields in the person's disclosure record;
 * 2. indexes the people in the answer, so that a later forgetting finds it;
 * 3. removes people who were forgotten meanwhile.
 * The answer of a batch goes to its companies' questions instead. Safe to repeat until the charge is booked.
 */
export async function finishAnswer(
  services: FinishServices,
  asked: Asked,
  kept: AnswerAndRecord,
): Promise<AnswerAndRecord> {
  const { answer, record } = kept;
  if (asked.operation === 'companiesByDomain') {
    await distributeAnswer(services, asked, kept);
    return kept;
  }
  await disclose(services, asked, kept);
  if (!record) return kept;
  const people = peopleIn({ operation: asked.operation, record }, services.digest);
  await linkPeople(services, { people, questionKey: asked.key, untilMs: partsExpiry(answer.expiresAtMs) });
  const gone = await forgottenIn(services, asked, record);
  if (gone.size === 0) return kept;
  await purgeQuestion(services, asked.key, { isGone: sharingAny(gone) });
  await services.disclosures.forget([...gone]);
  const left = rest(services, asked, { record, gone });
  return left ? { answer, record: left } : { answer: withheld(answer) };
}

/** Notes only the person that the question is about. Other people in an answer, such as company contacts, go nowhere. */
async function disclose(
  { disclosures, digest }: FinishServices,
  { key, operation, attempt }: Asked,
  { answer, record }: AnswerAndRecord,
): Promise<void> {
  if (!isAboutOne(operation) || !attempt) return;
  const [keys = NO_IDENTIFIERS] = record ? peopleIn({ operation, record }, digest) : [];
  await disclosures.requested(disclosedPerson({ key, operation }, keys), {
    ...{ source: 'data-service', operation, question: key, atMs: answer.askedAtMs },
    ...{ sent: SENT_BY[operation], fields: namesOfFields(record), purpose: attempt.purpose },
    ...(attempt.rule !== undefined && { rule: attempt.rule }),
    ...(attempt.record !== undefined && { record: attempt.record }),
    answerUntilMs: partsExpiry(answer.expiresAtMs),
  });
}

/** Does the same for an attempt whose worker is gone. */
export async function finishStoredAnswer(services: FinishServices, item: QuestionItem): Promise<void> {
  const answer = answersOf(item).find(
    ({ kind, askedAtMs }) => kind !== 'forgotten' && askedAtMs === item.attempt?.sentAtMs,
  );
  if (!answer) return;
  const record = answer.kind === 'found' ? await unpackAnswer(services, answer) : undefined;
  await finishAnswer(services, item, { answer, record });
}

/** After this time the steps after an answer are done, by its worker or by a sweep. */
const FINISHED_MS = HOUR_MS;

/** The record of a stored answer without forgotten people; `undefined` if nothing is left. */
export async function storedRecord(
  services: Omit<FinishServices, 'items'>,
  asked: Asked,
  answer: StoredAnswer,
): Promise<AnswerRecord | undefined> {
  const record = await unpackAnswer(services, answer);
  return record && withoutForgotten(services, asked, { answer, record });
}

/** The part of a stored record that may be kept; `undefined` if the record is about a forgotten person. */
export async function withoutForgotten(
  services: Pick<FinishServices, 'suppressionList' | 'clock' | 'digest'>,
  asked: Asked,
  { answer, record }: AnswerAndRecord & { readonly record: AnswerRecord },
): Promise<AnswerRecord | undefined> {
  if (services.clock.now() > answer.askedAtMs + FINISHED_MS) return record;
  const gone = await forgottenIn(services, asked, record, 'lately');
  return gone.size === 0 ? record : rest(services, asked, { record, gone });
}

async function forgottenIn(
  { suppressionList, digest }: Pick<FinishServices, 'suppressionList' | 'digest'>,
  { key, operation }: Asked,
  record: AnswerRecord,
  look: 'among' | 'lately' = 'among',
): Promise<ReadonlySet<string>> {
  const keys = peopleIn({ operation, record }, digest).flatMap(allKeys);
  return new Set(await suppressionList[look](isAboutOne(operation) ? [...keys, key] : keys));
}

/** The record without these people; `undefined` if the record is about one person. */
function rest(
  { digest }: Pick<FinishServices, 'digest'>,
  { operation }: Asked,
  { record, gone }: { record: AnswerRecord; gone: ReadonlySet<string> },
): AnswerRecord | undefined {
  if (isAboutOne(operation)) return undefined;
  const people = peopleIn({ operation, record }, digest);
  const isGone = (person: IdentifierKeys | undefined) =>
    person !== undefined && allKeys(person).some((key) => gone.has(key));
  return withoutPeople({ operation, record }, (index) => isGone(people[index]));
}

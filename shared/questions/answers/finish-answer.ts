import { HOUR_MS } from '#shared/kernel';
import type { GatewayServices } from '../gateway-services.ts';
import { unpackAnswer } from '../packed-answers.ts';
import { namesOfFields, SENT_BY } from '../people/disclosure-transitions.ts';
import { disclosedPerson } from '../people/disclosures.ts';
import { allKeys, type IdentifierKeys, NOBODY } from '../people/identifiers.ts';
import { linkPeople } from '../people/links.ts';
import { isAboutOne, peopleIn, withoutPeople } from '../people/people-in-answer.ts';
import { purgeQuestion, sharingAny } from '../people/stored-people.ts';
import type { QuestionItem, StoredAnswer } from '../schemas.ts';
import { answersOf, partsExpiry, withheld } from '../stored-answers.ts';
import { handOut } from './hand-out.ts';

/** An answer as it is stored, and its record while it is at hand. */
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
 * After an answer is stored with its charge: 1. notes in the disclosure record what was obtained about whom; 2. indexes its
 * people, so that a forgetting finds it; 3. removes people who asked to be forgotten meanwhile. A later request is found by the index. A batch is handed to its companies instead.
 * Safe to repeat until the charge is booked.
 */
export async function finishAnswer(
  services: FinishServices,
  asked: Asked,
  kept: AnswerAndRecord,
): Promise<AnswerAndRecord> {
  const { answer, record } = kept;
  if (asked.operation === 'companiesByDomain') {
    await handOut(services, asked, kept);
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

/** Only people whom a question was about. Others in an answer, such as a company's contacts, go nowhere from it. */
async function disclose(
  { disclosures, digest }: FinishServices,
  { key, operation, attempt }: Asked,
  { answer, record }: AnswerAndRecord,
): Promise<void> {
  if (!isAboutOne(operation) || !attempt) return;
  const [keys = NOBODY] = record ? peopleIn({ operation, record }, digest) : [];
  await disclosures.requested(disclosedPerson({ key, operation }, keys), {
    ...{ source: 'data-service', operation, question: key, atMs: answer.askedAtMs },
    ...{ sent: SENT_BY[operation], fields: namesOfFields(record), purpose: attempt.purpose },
    ...(attempt.rule !== undefined && { rule: attempt.rule }),
    ...(attempt.record !== undefined && { record: attempt.record }),
    answerUntilMs: partsExpiry(answer.expiresAtMs),
  });
}

/** The same for the answer of an attempt whose asker is gone. */
export async function finishStoredAnswer(services: FinishServices, item: QuestionItem): Promise<void> {
  const answer = answersOf(item).find(
    ({ kind, askedAtMs }) => kind !== 'forgotten' && askedAtMs === item.attempt?.sentAtMs,
  );
  if (!answer) return;
  const record = answer.kind === 'found' ? await unpackAnswer(services, answer) : undefined;
  await finishAnswer(services, item, { answer, record });
}

/** After this long what follows an answer has been done, by its asker or by a sweep. */
const FINISHED_MS = HOUR_MS;

/** The record of a stored answer, without people who asked to be forgotten; nothing where none of it is left. */
export async function storedRecord(
  services: Omit<FinishServices, 'items'>,
  asked: Asked,
  answer: StoredAnswer,
): Promise<AnswerRecord | undefined> {
  const record = await unpackAnswer(services, answer);
  return record && withoutForgotten(services, asked, { answer, record });
}

/** The part of a stored record that may be kept; nothing where all of it is about a forgotten person. */
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

/** The part of a record that may be kept; nothing where all of it is about a forgotten person. */
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

import { HOUR_MS } from '#shared/kernel';
import type { GatewayServices } from './gateway-services.ts';
import { namesOfFields } from './people/disclosure-transitions.ts';
import { disclosedPerson } from './people/disclosures.ts';
import { linkPeople } from './people/links.ts';
import { isAboutOne, peopleIn, purgeQuestion, sharingAny, withoutPeople } from './people/stored-people.ts';
import { allKeys, type IdentifierKeys, NO_IDENTIFIERS } from './people/suppression-list.ts';
import { identifiersSent, LOOKUPS } from './question.ts';
import type { QuestionItem, StoredAnswer } from './schemas.ts';
import { answersOf, linkExpiry, unpackAnswer, withheld } from './stored-answers.ts';

/** A stored answer, with its record if the caller has unpacked it. */
export interface AnswerAndRecord {
  readonly answer: StoredAnswer;
  readonly record?: AnswerRecord | undefined;
}

type AnswerRecord = Readonly<Record<string, unknown>>;
type Asked = Pick<QuestionItem, 'key' | 'operation' | 'attempt'>;

export type FinishServices = Pick<
  GatewayServices,
  | 'together'
  | 'items'
  | 'sideItems'
  | 'owners'
  | 'suppressionList'
  | 'disclosures'
  | 'clock'
  | 'digest'
  | 'packing'
>;

/**
 * Runs after an answer is stored with its charge:
 * 1. notes the obtained fields in the person's disclosure record;
 * 2. indexes the people in the answer, so that a later privacy deletion finds the answer;
 * 3. removes people who were forgotten since the request was sent.
 * Safe to repeat until the charge is booked.
 */
export async function finishAnswer(
  services: FinishServices,
  asked: Asked,
  stored: AnswerAndRecord,
): Promise<AnswerAndRecord> {
  const { answer, record } = stored;
  await disclose(services, asked, stored);
  if (!record) return stored;
  const people = peopleIn({ operation: asked.operation, record }, services.digest);
  await linkPeople(services, { people, questionKey: asked.key, untilMs: linkExpiry(answer.expiresAtMs) });
  const forgotten = await forgottenIn(services, asked, record);
  if (forgotten.size === 0) return stored;
  await purgeQuestion(services, asked.key, { isGone: sharingAny(forgotten) });
  await services.disclosures.forget([...forgotten]);
  const remaining = withoutThem(services, asked, { record, forgotten });
  return remaining ? { answer, record: remaining } : { answer: withheld(answer) };
}

/** Notes a request in doubt: the source received the identifiers, and no answer is known. Safe to repeat. */
export async function discloseDoubt(services: FinishServices, asked: Asked): Promise<void> {
  await disclose(services, asked, {});
  const forgotten = await services.suppressionList.amongChecked([asked.key]);
  await services.disclosures.forget([...forgotten]);
}

/**
 * Notes only the person that the question is about. Other people in an answer, such as company contacts, are not passed
 * on.
 */
async function disclose(
  { disclosures, digest }: FinishServices,
  { key, operation, attempt }: Asked,
  { answer, record }: Partial<AnswerAndRecord>,
): Promise<void> {
  if (!isAboutOne(operation) || !attempt) return;
  const [keys = NO_IDENTIFIERS] = record ? peopleIn({ operation, record }, digest) : [];
  await disclosures.requested(disclosedPerson({ key, operation }, keys), {
    source: LOOKUPS[operation].vendor.name,
    operation,
    question: key,
    atMs: attempt.sentAtMs,
    sent: identifiersSent(operation),
    fields: namesOfFields(record),
    purpose: attempt.purpose,
    ...(attempt.rule !== undefined && { rule: attempt.rule }),
    ...(attempt.record !== undefined && { record: attempt.record }),
    ...(answer && { answerUntilMs: linkExpiry(answer.expiresAtMs) }),
  });
}

/** Finishes the stored answer of an attempt whose worker has ended. */
export async function finishStoredAnswer(services: FinishServices, item: QuestionItem): Promise<void> {
  const answer = answersOf(item).find(
    ({ kind, askedAtMs }) => kind !== 'forgotten' && askedAtMs === item.attempt?.sentAtMs,
  );
  if (!answer) return;
  const record = answer.kind === 'found' ? unpackAnswer(services, answer) : undefined;
  await finishAnswer(services, item, { answer, record });
}

/** Longest time after a request until its worker or a sweep has finished the answer. */
const FINISHED_MS = HOUR_MS;

/** Unpacks a stored answer without forgotten people. @returns `undefined` if nothing remains. */
export async function storedRecord(
  services: Omit<FinishServices, 'together' | 'items'>,
  asked: Asked,
  answer: StoredAnswer,
): Promise<AnswerRecord | undefined> {
  const record = unpackAnswer(services, answer);
  if (!record || services.clock.now() > answer.askedAtMs + FINISHED_MS) return record;
  const forgotten = await forgottenIn(services, asked, record, 'lately');
  return forgotten.size === 0 ? record : withoutThem(services, asked, { record, forgotten });
}

async function forgottenIn(
  { suppressionList, digest }: Pick<FinishServices, 'suppressionList' | 'digest'>,
  { key, operation }: Asked,
  record: AnswerRecord,
  check: 'amongChecked' | 'lately' = 'amongChecked',
): Promise<ReadonlySet<string>> {
  const keys = peopleIn({ operation, record }, digest).flatMap(allKeys);
  return new Set(await suppressionList[check](isAboutOne(operation) ? [...keys, key] : keys));
}

/** Removes these people from the record. @returns `undefined` if the record is about one person. */
function withoutThem(
  { digest }: Pick<FinishServices, 'digest'>,
  { operation }: Asked,
  { record, forgotten }: { record: AnswerRecord; forgotten: ReadonlySet<string> },
): AnswerRecord | undefined {
  if (isAboutOne(operation)) return undefined;
  const people = peopleIn({ operation, record }, digest);
  const isGone = (person: IdentifierKeys | undefined) =>
    person !== undefined && allKeys(person).some((key) => forgotten.has(key));
  return withoutPeople({ operation, record }, (index) => isGone(people[index]));
}

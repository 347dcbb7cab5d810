import { type Crm, type CrmRecord, isAboutPerson, recordKey } from '#shared/crm';
import { addressesOf, IDENTIFYING_PROPERTIES } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import { isRejected } from '#shared/ownership';
import { allKeys, type ForgetServices, readLinks, storedEntries } from '#shared/questions';
import { livingState, type RecordItems, type RecordState, recordKind } from '#shared/records';
import { parseRecordKey } from '../forget-record.ts';
import { identifiersOfRecord } from '../index-person.ts';

export interface CircleServices {
  readonly forgetting: ForgetServices;
  readonly records: RecordItems;
  readonly crm: Pick<Crm, 'read'>;
  readonly digest: Digest;
}

type StoredEntry = Awaited<ReturnType<typeof storedEntries>>[number];

export interface SubjectRecord {
  readonly state: RecordState;
  /** HubSpot's present record; absent if HubSpot no longer has it. */
  readonly record: CrmRecord | undefined;
  /** Answers that were rejected, because they are about another person. They do not belong to this person. */
  readonly rejected: readonly { readonly questionKey: string; readonly askedAtMs: number }[];
}

export interface PersonCircle {
  /** Keyed hashes of the person's addresses and profiles. */
  readonly known: ReadonlySet<string>;
  /** Keyed hashes of phones, and of names in a company. Another person may share them. */
  readonly likely: ReadonlySet<string>;
  readonly records: readonly SubjectRecord[];
  /** Entries of the stored answers about this person. */
  readonly entries: readonly StoredEntry[];
}

/** Start of a search for a person: the keyed hashes of an address, or a record. */
export type SubjectStart = { readonly identifiers: readonly string[] } | { readonly record: string };

/**
 * Finds the stored data of one person, and of no other. Only an address or a profile connects data. A phone, a name, a
 * shared mailbox or a rejected answer does not. An erasure reaches further, because it should rather remove too much.
 */
export async function findPersonCircle(services: CircleServices, start: SubjectStart): Promise<PersonCircle> {
  const known = new Set('identifiers' in start ? start.identifiers : []);
  const likely = new Set<string>();
  const records = new Map<string, SubjectRecord>();
  const answered = new Set<string>();
  const entries = new Map<string, StoredEntry>();
  const visit = async (key: string) => {
    const found = await readSubject(services, key);
    if (!found || records.has(recordKey(found.state))) return;
    const isStart = 'record' in start && start.record === key;
    if (!isStart && !found.sure.some((each) => known.has(each))) return;
    records.set(recordKey(found.state), found);
    for (const each of found.sure) known.add(each);
    for (const each of found.likely) likely.add(each);
    for (const question of found.questions) {
      answered.add(question);
      await readEntries(question);
    }
  };
  const readEntries = async (question: string) => {
    for (const entry of await storedEntries(services.forgetting, question)) {
      const isAnswerOfPerson = entry.isWhole && (known.has(question) || answered.has(question));
      const namesPerson = entry.keys.sure.some((each) => known.has(each));
      if (!(isAnswerOfPerson || namesPerson) || isWrong(entry, [...records.values()])) continue;
      entries.set(JSON.stringify([entry.question, entry.askedAtMs, entry.entry]), entry);
      for (const each of entry.keys.sure) known.add(each);
    }
  };
  if ('record' in start) await visit(start.record);
  // The set grows during the loop, so newly found keys are also visited.
  for (const key of known) {
    for (const record of await readLinks(services.forgetting, 'records', key)) await visit(record);
    for (const question of [key, ...(await readLinks(services.forgetting, 'questions', key))])
      await readEntries(question);
  }
  const allRecords = [...records.values()];
  return {
    known,
    likely,
    records: allRecords,
    entries: [...entries.values()].filter((one) => !isWrong(one, allRecords)),
  };
}

function isWrong({ question, askedAtMs }: StoredEntry, records: readonly SubjectRecord[]): boolean {
  return records.some(({ rejected }) =>
    rejected.some((each) => each.questionKey === question && each.askedAtMs === askedAtMs),
  );
}

interface FoundSubject extends SubjectRecord {
  readonly sure: readonly string[];
  readonly likely: readonly string[];
  /** Questions whose answers were used for this record. */
  readonly questions: readonly string[];
}

/** Reads a contact with the records that were merged into it. */
async function readSubject(services: CircleServices, key: string): Promise<FoundSubject | undefined> {
  const name = parseRecordKey(key);
  if (name === undefined || !isAboutPerson(name)) return undefined;
  const state = await livingState(services, name);
  const { id, objectType, mergedFrom = [] } = state;
  const stored = await Promise.all(
    mergedFrom.map((each) => services.records.read(recordKind.key({ objectType, id: each }))),
  );
  const states = [state, ...stored.flatMap((each) => each?.value ?? [])];
  const rejected = states.flatMap(({ verdicts }) => verdicts.filter(isRejected));
  const properties = [
    ...new Set([
      ...IDENTIFYING_PROPERTIES.contacts,
      ...states.flatMap((each) => Object.keys(each.ownership)),
    ]),
  ];
  const { records, failed } = await services.crm.read({ objectType, ids: [id], properties });
  const reason = failed.get(id);
  if (reason !== undefined) throw new Error(`HubSpot does not return ${objectType}/${id}: ${reason}.`);
  const record = records.get(id);
  const questions = states.flatMap(({ answeredQuestion: question }) =>
    question === undefined || rejected.some(({ questionKey }) => questionKey === question) ? [] : [question],
  );
  const keys = record
    ? identifiersOfRecord({ objectType, properties: withoutMailboxes(record) }, services.digest)
    : { sure: await rememberedKeys(services, states, rejected), likely: [] };
  return { state, record, rejected, ...keys, questions };
}

/** Removes addresses of offices and machines, because they belong to no single person. */
function withoutMailboxes({ properties }: CrmRecord): CrmRecord['properties'] {
  const [first, ...others] = addressesOf({ properties }).filter(({ role }) => !role);
  return {
    ...properties,
    email: first?.address ?? null,
    hs_additional_emails: others.map(({ address }) => address).join(';'),
  };
}

/**
 * Returns the identifiers of a record that HubSpot no longer has. Leaves out identifiers that a rejected answer
 * contained.
 */
async function rememberedKeys(
  services: CircleServices,
  states: readonly RecordState[],
  rejected: SubjectRecord['rejected'],
): Promise<readonly string[]> {
  const wrong = await Promise.all(
    rejected.map(({ questionKey }) => storedEntries(services.forgetting, questionKey)),
  );
  const others = new Set(wrong.flat().flatMap(({ keys }) => allKeys(keys)));
  return states.flatMap(({ identifiers = [] }) => identifiers).filter((each) => !others.has(each));
}

import { type Crm, type CrmRecord, isAboutPerson, recordKey, shownKey } from '#shared/crm';
import { createMark, type Policy } from '#shared/field-policy';
import { addressesOf, IDENTIFYING_PROPERTIES } from '#shared/identity';
import { DAY_MS, type Digest } from '#shared/kernel';
import { holdsOurValue, isRejected } from '#shared/ownership';
import {
  allKeys,
  type Disclosure,
  type ForgetServices,
  LOOKUPS,
  questionsAbout,
  readLinks,
  storedEntries,
} from '#shared/questions';
import {
  historyOf,
  type Journal,
  type JournalEntry,
  livingState,
  type RecordItems,
  type RecordState,
  recordKind,
} from '#shared/records';
import { parseRecordKey } from './forget-record.ts';
import { disclosuresOfPerson, identifiersOfRecord, recordKeysOf } from './index-person.ts';

interface ExportServices extends CircleServices {
  readonly crm: Pick<Crm, 'read' | 'definitions'>;
  readonly journal: Pick<Journal, 'ofRecord'>;
  readonly policy: Pick<Policy, 'journalDays'>;
}

/** Stored data of one person. Times are ISO 8601. It holds values, so it is for the person and must never be logged. */
export interface SubjectExport {
  readonly records: readonly {
    readonly record: string;
    readonly mergedFrom: readonly string[];
    /** Values in HubSpot that we wrote and that have not changed since. */
    readonly values: Readonly<Record<string, string>>;
    readonly keptUntil: string;
    readonly forgottenAt?: string | undefined;
  }[];
  /** Stored answers. From a list of results, only this person's entry. */
  readonly answers: readonly {
    readonly source: string;
    readonly operation: string;
    readonly obtainedAt: string;
    readonly keptUntil: string;
    readonly values: Readonly<Record<string, unknown>>;
  }[];
  /** Values written to HubSpot, for the time that the journal covers. */
  readonly writes: readonly {
    readonly record: string;
    readonly at: string;
    readonly property: string;
    readonly before: string | null;
    readonly after: string;
    readonly keptUntil: string;
  }[];
  readonly firstObtainedAt: string | undefined;
  readonly lastObtainedAt: string | undefined;
  /** Requests to each source: time, sent fields, and returned fields. */
  readonly requests: readonly {
    readonly source: string;
    readonly operation: string;
    readonly at: string;
    /** Time of the last request and number of requests, if this entry sums up older requests. */
    readonly lastAt?: string;
    readonly times?: number;
    readonly sent: readonly string[];
    readonly fields: readonly string[];
    /** The request was sent, and no answer is known. */
    readonly isUnanswered?: boolean;
    readonly purpose?: string;
    readonly rule?: string | undefined;
    readonly record?: string | undefined;
  }[];
  /** Recipients of the person's values. */
  readonly recipients: readonly {
    readonly recipient: 'HubSpot';
    readonly record: string;
    readonly operation: string;
    readonly properties: readonly string[];
    readonly firstAt: string;
    readonly lastAt: string;
  }[];
  /** Time when the person's data were erased. Only the proof in this export is left. */
  readonly forgottenAt: string | undefined;
}

/**
 * Reads the stored data of one person.
 * @returns `undefined` if nothing is stored.
 */
export async function exportSubject(
  services: ExportServices,
  start: SubjectStart,
): Promise<SubjectExport | undefined> {
  const { known, likely, records, entries } = await findPersonCircle(services, start);
  const keys = records.flatMap(({ state }) => recordKeysOf(state));
  const own = await disclosuresOfPerson(services.forgetting.disclosures, {
    identifiers: [...known, ...likely],
    records: keys,
  });
  const isKnown = ({ state }: SubjectRecord) => state.runsOpened > 0 || state.mergedFrom !== undefined;
  const isHeld = records.some(isKnown) || entries.length > 0 || own.length > 0;
  // After a deletion, only the hashes of the proof connect an address with the person.
  const disclosures = isHeld ? own : await forgottenOf(services, known);
  if (!isHeld && disclosures.length === 0) return undefined;
  const histories = await Promise.all(records.map((each) => writesOf(services, each)));
  const forgotten = disclosures.flatMap(({ forgottenAtMs }) => forgottenAtMs ?? []);
  const obtained = disclosures.flatMap((each) => each.obtained ?? []);
  const isoOf = (times: readonly number[], pick: (...all: number[]) => number) =>
    times.length > 0 ? iso(pick(...times)) : undefined;
  return {
    records: await Promise.all(records.map((each) => recordOf(services, each))),
    answers: entries.map(({ operation, askedAtMs, untilMs, entry }) => ({
      source: LOOKUPS[operation].vendor.name,
      operation,
      obtainedAt: iso(askedAtMs),
      keptUntil: iso(untilMs),
      values: Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== '')),
    })),
    writes: histories.flat(),
    firstObtainedAt: isoOf(
      obtained.map(({ firstAtMs }) => firstAtMs),
      Math.min,
    ),
    lastObtainedAt: isoOf(
      obtained.map(({ lastAtMs }) => lastAtMs),
      Math.max,
    ),
    requests: disclosures.flatMap((each) => requestsOf(each, keys)),
    recipients: disclosures.flatMap((each) =>
      each.records.map(({ record, operation, properties, firstAtMs, lastAtMs }) => ({
        recipient: 'HubSpot' as const,
        record: shownKey(record),
        operation,
        properties,
        firstAt: iso(firstAtMs),
        lastAt: iso(lastAtMs),
      })),
    ),
    forgottenAt: isoOf(forgotten, Math.min),
  };
}

async function forgottenOf(
  { forgetting: { disclosures } }: ExportServices,
  identifiers: ReadonlySet<string>,
): Promise<readonly Disclosure[]> {
  return (await disclosures.of([...identifiers])).filter(({ forgottenAtMs }) => forgottenAtMs !== undefined);
}

/** Returns the requests. If a request for another person's record was about this person, that record is not named. */
function requestsOf(
  { requests, earlierRequests = [] }: Disclosure,
  ownRecords: readonly string[],
): SubjectExport['requests'] {
  return [
    ...earlierRequests.map(({ firstAtMs, lastAtMs, ...rest }) => ({
      ...rest,
      at: iso(firstAtMs),
      lastAt: iso(lastAtMs),
    })),
    ...requests.map(({ question: _question, answerUntilMs, atMs, record, ...rest }) => ({
      ...rest,
      ...(answerUntilMs === undefined && { isUnanswered: true }),
      at: iso(atMs),
      ...(record !== undefined && ownRecords.includes(record) && { record: shownKey(record) }),
    })),
  ];
}

/** Returns a record with the values that are still ours. */
async function recordOf({ crm, digest }: ExportServices, { state, record }: SubjectRecord) {
  const mark = createMark({ definitions: await crm.definitions('contacts'), hash: digest.keyed });
  const values = Object.entries(record?.properties ?? {}).flatMap(([property, value]) =>
    value && holdsOurValue(state.ownership, property, mark(property, value))
      ? [[property, value] as const]
      : [],
  );
  const { mergedFrom = [], forgottenAtMs } = state;
  return {
    record: shownKey(recordKey(state)),
    mergedFrom: mergedFrom.map((id) => `contacts/${id}`),
    values: Object.fromEntries(values),
    keptUntil: record ? 'kept as long as the record is in HubSpot' : 'HubSpot no longer has the record',
    ...(forgottenAtMs !== undefined && { forgottenAt: iso(forgottenAtMs) }),
  };
}

/**
 * Returns the journalled writes. Leaves out the writes of rejected answers, because they held another person's values.
 */
async function writesOf(
  services: ExportServices,
  { state, rejected }: SubjectRecord,
): Promise<SubjectExport['writes']> {
  const isOfRejected = ({ question }: JournalEntry) =>
    rejected.some(
      ({ questionKey, askedAtMs }) => questionKey === question?.key && askedAtMs === question.askedAtMs,
    );
  const entries = (await historyOf(services, state)).filter((entry) => !entry.purged && !isOfRejected(entry));
  return entries.flatMap((entry) =>
    entry.changes
      .filter((change) => change.state !== 'refused')
      .map(({ property, before, after }) => ({
        record: `contacts/${entry.id}`,
        at: iso(entry.atMs),
        property,
        before,
        after,
        keptUntil: iso(entry.atMs + services.policy.journalDays * DAY_MS),
      })),
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

interface CircleServices {
  readonly forgetting: ForgetServices;
  readonly records: RecordItems;
  readonly crm: Pick<Crm, 'read'>;
  readonly digest: Digest;
}

type StoredEntry = Awaited<ReturnType<typeof storedEntries>>[number];

interface SubjectRecord {
  readonly state: RecordState;
  /** HubSpot's present record; absent if HubSpot no longer has it. */
  readonly record: CrmRecord | undefined;
  /** Answers that were rejected, because they are about another person. They do not belong to this person. */
  readonly rejected: readonly { readonly questionKey: string; readonly askedAtMs: number }[];
}

interface PersonCircle {
  /** Keyed hashes of the person's addresses and profiles. */
  readonly known: ReadonlySet<string>;
  /** Keyed hashes of phones, and of names in a company. Another person may share them. */
  readonly likely: ReadonlySet<string>;
  readonly records: readonly SubjectRecord[];
  /** Entries of the stored answers about this person. */
  readonly entries: readonly StoredEntry[];
}

/** Start of a search for a person: the keyed hashes of an address, or a record. */
type SubjectStart = { readonly identifiers: readonly string[] } | { readonly record: string };

/**
 * Finds the stored data of one person, and of no other. Only an address or a profile connects data. A phone, a name, a
 * shared mailbox or a rejected answer does not. An erasure reaches further, because it should rather remove too much.
 */
async function findPersonCircle(services: CircleServices, start: SubjectStart): Promise<PersonCircle> {
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
    for (const question of await questionsAbout(services.forgetting, key)) await readEntries(question);
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

import { type Crm, recordKey } from '#shared/crm';
import { createMark, type Policy } from '#shared/field-policy';
import { DAY_MS } from '#shared/kernel';
import { holdsOurValue } from '#shared/ownership';
import type { Disclosure } from '#shared/questions';
import { historyOf, type Journal, type JournalEntry } from '#shared/records';
import { VENDOR } from '#shared/vendor';
import { disclosuresOfPerson, recordKeysOf } from '../disclosures/of-person.ts';
import {
  type CircleServices,
  findPersonCircle,
  type SubjectRecord,
  type SubjectStart,
} from './person-circle.ts';

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
  const disclosures = await disclosuresOfPerson(services.forgetting.disclosures, {
    identifiers: [...known, ...likely],
    records: keys,
  });
  const isKnown = ({ state }: SubjectRecord) => state.runsOpened > 0 || state.mergedFrom !== undefined;
  if (!records.some(isKnown) && entries.length === 0 && disclosures.length === 0) return undefined;
  const histories = await Promise.all(records.map((each) => writesOf(services, each)));
  const forgotten = disclosures.flatMap(({ forgottenAtMs }) => forgottenAtMs ?? []);
  const obtained = disclosures.flatMap((each) => each.obtained ?? []);
  const isoOf = (times: readonly number[], pick: (...all: number[]) => number) =>
    times.length > 0 ? iso(pick(...times)) : undefined;
  return {
    records: await Promise.all(records.map((each) => recordOf(services, each))),
    answers: entries.map(({ operation, askedAtMs, untilMs, entry }) => ({
      ...{ source: VENDOR.name, operation, obtainedAt: iso(askedAtMs), keptUntil: iso(untilMs) },
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
        ...{ recipient: 'HubSpot' as const, record: shown(record), operation, properties },
        ...{ firstAt: iso(firstAtMs), lastAt: iso(lastAtMs) },
      })),
    ),
    forgottenAt: isoOf(forgotten, Math.min),
  };
}

/** Returns the requests. If a request for another person's record was about this person, that record is not named. */
function requestsOf(
  { requests, earlierRequests = [] }: Disclosure,
  ownRecords: readonly string[],
): SubjectExport['requests'] {
  return [
    ...earlierRequests.map(({ firstAtMs, lastAtMs, ...rest }) => ({
      ...{ ...rest, at: iso(firstAtMs), lastAt: iso(lastAtMs) },
    })),
    ...requests.map(({ question: _question, answerUntilMs: _until, atMs, record, ...rest }) => ({
      ...{ ...rest, at: iso(atMs) },
      ...(record !== undefined && ownRecords.includes(record) && { record: shown(record) }),
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
    record: shown(recordKey(state)),
    mergedFrom: mergedFrom.map((id) => `contacts/${id}`),
    values: Object.fromEntries(values),
    keptUntil: record ? 'as long as the record is in HubSpot' : 'HubSpot no longer has the record',
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
        ...{ record: `contacts/${entry.id}`, at: iso(entry.atMs), property, before, after },
        keptUntil: iso(entry.atMs + services.policy.journalDays * DAY_MS),
      })),
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns the form that people write, such as `contacts/1` for `contacts#1`. */
function shown(key: string): string {
  return key.replace('#', '/');
}

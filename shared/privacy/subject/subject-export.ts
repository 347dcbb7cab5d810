import { type Crm, recordKey } from '#shared/crm';
import { createMark, type Policy } from '#shared/field-policy';
import { DAY_MS } from '#shared/kernel';
import { holdsOurValue } from '#shared/ownership';
import type { Disclosure } from '#shared/questions';
import { historyOf, type Journal, type JournalEntry } from '#shared/records';
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

/** Stored data of one person. Times are ISO 8601. Holds values: for the person, never for a log. */
export interface SubjectExport {
  readonly records: readonly {
    readonly record: string;
    readonly mergedFrom: readonly string[];
    /** Values in HubSpot that are still as we wrote them. */
    readonly values: Readonly<Record<string, string>>;
    readonly keptUntil: string;
    readonly forgottenAt?: string | undefined;
  }[];
  /** Stored answers; from a list, only this person's entry. */
  readonly answers: readonly {
    readonly source: string;
    readonly operation: string;
    readonly obtainedAt: string;
    readonly keptUntil: string;
    readonly values: Readonly<Record<string, unknown>>;
  }[];
  /** Values written to HubSpot, as far as the journal goes back. */
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
    /** For a sum of older requests: the last time, and the number. */
    readonly lastAt?: string;
    readonly times?: number;
    readonly sent: readonly string[];
    readonly fields: readonly string[];
    readonly purpose?: string;
    readonly rule?: string | undefined;
    readonly record?: string | undefined;
  }[];
  /** Recipients of values. */
  readonly recipients: readonly {
    readonly recipient: 'HubSpot';
    readonly record: string;
    readonly operation: string;
    readonly properties: readonly string[];
    readonly firstAt: string;
    readonly lastAt: string;
  }[];
  /** The person asked to be forgotten: only this proof is left. */
  readonly forgottenAt: string | undefined;
}

/** Reads the stored data of one person. @returns `undefined` if nothing is stored. */
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
      ...{ source: 'data-service', operation, obtainedAt: iso(askedAtMs), keptUntil: iso(untilMs) },
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

/**
 * Returns the requests. Another person's record is not named, although its request turned out to be about this person.
 */
function requestsOf(
  { requests, earlierRequests = [] }: Disclosure,
  own: readonly string[],
): SubjectExport['requests'] {
  return [
    ...earlierRequests.map(({ firstAtMs, lastAtMs, ...rest }) => ({
      ...{ ...rest, at: iso(firstAtMs), lastAt: iso(lastAtMs) },
    })),
    ...requests.map(({ question: _question, answerUntilMs: _until, atMs, record, ...rest }) => ({
      ...{ ...rest, at: iso(atMs) },
      ...(record !== undefined && own.includes(record) && { record: shown(record) }),
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
    keptUntil: record ? 'as long as the record is in HubSpot' : 'HubSpot has the record no more',
    ...(forgottenAtMs !== undefined && { forgottenAt: iso(forgottenAtMs) }),
  };
}

/** Returns the journalled writes, without those of rejected answers, which held another person's values. */
async function writesOf(
  services: ExportServices,
  { state, rejected }: SubjectRecord,
): Promise<SubjectExport['writes']> {
  const isOther = ({ question }: JournalEntry) =>
    rejected.some(
      ({ questionKey, askedAtMs }) => questionKey === question?.key && askedAtMs === question.askedAtMs,
    );
  const entries = (await historyOf(services, state)).filter((entry) => !entry.purged && !isOther(entry));
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

/** Returns `contacts#1` as people write it. */
function shown(key: string): string {
  return key.replace('#', '/');
}

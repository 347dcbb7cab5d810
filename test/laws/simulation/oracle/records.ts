import type { Person } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { HistoryEntry, StoredRecord } from '../../../../infra/sandbox/hubspot/state.ts';
import type { Evidence } from './evidence.ts';
import { readCsv } from './ledger-rows.ts';
import { identifiersOf } from './people.ts';

const OUTCOMES = ['enriched', 'unchanged', 'unmatched', 'skipped', 'failed'];
/** Longest time from due to done, with a sweep every six hours. */
const DUE_MS = 13 * 60 * 60_000;

interface Explained {
  readonly outcome?: { readonly kind?: string; readonly code?: string };
  readonly waiting?: { readonly reason?: string; readonly dueSince?: string };
  readonly staleFrom?: string;
  readonly forgottenAt?: string;
  readonly mergedFrom?: readonly string[];
}

/** Every record ends in an outcome, or waits with a reason and a time. */
export function recordFaults(evidence: Evidence): string[] {
  const { told, erased } = evidence;
  const runs: Readonly<Record<string, number>> = JSON.parse(told.runs);
  const { opened = 0, ended = 0, waiting = 0, running = 0 } = runs;
  return [
    ...told.records.flatMap(({ name, explained }) => {
      const isErased = erased.some(({ id }) => name.endsWith(`/${id}`));
      return explained === undefined
        ? [`${name} is unknown`].filter(() => !isErased)
        : openFaults(evidence, { name, isErased, explained: JSON.parse(explained) });
    }),
    ...(opened === ended + waiting && running === 0 ? [] : [`runs do not add up: ${told.runs}`]),
    ...(told.queued === 0 ? [] : [`${told.queued} messages are left`]),
    ...(told.dead === 0 ? [] : [`${told.dead} messages were given up`]),
  ];
}

const SMALL_BUDGET = 20;
/** Reasons of records that a small budget admits day by day. */
const IN_TURN: ReadonlySet<string | undefined> = new Set(['budget', 'queued', 'rate-limit']);

interface Known {
  readonly name: string;
  readonly isErased: boolean;
  readonly explained: Explained;
}

function openFaults(evidence: Evidence, { name, isErased, explained }: Known): string[] {
  const { endedAtMs, hubSpot, erased } = evidence;
  const { outcome, waiting, forgottenAt, mergedFrom } = explained;
  if (isErased) return [];
  const [type = '', id = ''] = name.split('/');
  const record = hubSpot.records[type === 'contacts' ? '0-1' : '0-2'][id];
  const isSame = () =>
    erased.some(({ properties }) => isAboutSame(evidence, properties, record?.values ?? {}));
  // Another portal reports merges and deletions under the same ids.
  if ((forgottenAt !== undefined && !isSame()) || mergedFrom)
    return [`${name} was forgotten or merged by another portal`];
  if (waiting) {
    const isDue = Date.parse(waiting.dueSince ?? '') + DUE_MS < endedAtMs;
    // A day's budget for one purpose, or the rest for the refresh, may be less than a question costs.
    const { perDay, purpose } = evidence.agreed;
    const isTooLittle = perDay <= SMALL_BUDGET || purpose !== undefined;
    const isWellPutOff =
      (waiting.reason === 'budget' && !isDue) || (isTooLittle && IN_TURN.has(waiting.reason));
    return isWellPutOff ? [] : [`${name} still waits after so long a calm: ${waiting.reason}`];
  }
  if (!outcome?.code || !OUTCOMES.includes(outcome.kind ?? '')) return [`${name} has no outcome`];
  if (outcome.code === 'charge-unknown' && !hasDoubts(evidence))
    return [`${name} failed for a doubt that the books do not know`];
  if (isStale(evidence, explained)) return [`${name} was asked for, and is what it was long ago`];
  const status = record?.values['enrichment_status'] ?? '';
  return outcome.kind === 'enriched' && status === ''
    ? [`${name} is enriched, but HubSpot does not say so`]
    : [];
}

function hasDoubts({ told }: Evidence): boolean {
  const rows = readCsv(told.ledger);
  const isOver = (id: string | undefined) =>
    rows.some(({ kind = '', reservationId }) => reservationId === id && ['posted', 'voided'].includes(kind));
  return rows.some(({ kind, reservationId }) => kind === 'doubtful' && !isOver(reservationId));
}

type Values = Readonly<Record<string, string>>;

/** The deletion of one contact covers its person, and so all contacts of this person. */
function isAboutSame({ people }: Evidence, deleted: Values, other: Values): boolean {
  const [meant, found] = [deleted, other].map((values) =>
    people.filter(
      (person) => identifiersOf(values).some((each) => isOf(person, each)) || isNamed(person, values),
    ),
  );
  return meant?.some((person) => found?.includes(person)) ?? false;
}

function isOf({ networkSlug, job, mobile }: Person, identifier: string): boolean {
  return [job.email, mobile].includes(identifier) || identifier === `linkedin.com/in/${networkSlug}`;
}

function isNamed({ firstName, lastName }: Person, { firstname, lastname }: Values): boolean {
  return firstName === firstname && lastName === lastname;
}

/** True if people requested everything after the answer had become stale. It must have been bought again. */
function isStale({ askedForAllAtMs }: Evidence, { outcome, staleFrom }: Explained): boolean {
  const isKnown = outcome?.kind === 'enriched' || outcome?.kind === 'unchanged';
  return isKnown && staleFrom !== undefined && Date.parse(staleFrom) <= askedForAllAtMs;
}

/** A request is sent, and a value written, at most a minute after the read, plus HubSpot's own time. */
const READ_MS = 70_000;
const PROPERTY = 'lifecyclestage';

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Contacts of the excluded stage are neither paid for nor written. */
export function whomFaults(evidence: Evidence): string[] {
  const { barredStage } = evidence.agreed;
  if (barredStage === undefined) return [];
  return Object.values(evidence.hubSpot.records['0-1']).flatMap((contact) => {
    const barred = barredIn(contact.history[PROPERTY] ?? [], barredStage);
    const isForGood = contact.history[PROPERTY]?.length === 1 && barred.length === 1;
    // With wrong clocks or paused workers, only a stage that never changed is a proof.
    const isLeftOut = ({ fromMs, toMs }: Span) =>
      evidence.agreed.isStraight
        ? barred.some((span) => span.fromMs <= fromMs - READ_MS && span.toMs > toMs)
        : isForGood;
    const charges = chargesOf(evidence, contact).filter(isLeftOut).length;
    const writes = writesTo(evidence, contact).filter(isLeftOut).length;
    return [
      ...(charges > 0 ? [`contact ${contact.id} was paid for although no rule admits it`] : []),
      ...(writes > 0 ? [`contact ${contact.id} was written although no rule admits it`] : []),
    ];
  });
}

/** Times when the contact had the excluded stage. */
function barredIn(entries: readonly HistoryEntry[], stage: string): readonly Span[] {
  const inOrder = entries.toSorted((a, b) => a.timestamp - b.timestamp);
  return inOrder.flatMap(({ value, timestamp: fromMs }, index) => {
    const toMs = inOrder[index + 1]?.timestamp ?? Number.POSITIVE_INFINITY;
    return value === stage ? [{ fromMs, toMs }] : [];
  });
}

/** Spans from the reservation to the booking. The contact is read in between. */
function chargesOf({ told }: Evidence, { id }: StoredRecord): Span[] {
  const rows = readCsv(told.ledger);
  const mine = rows.filter(({ kind, record }) => kind === 'pending' && record === `contacts#${id}`);
  return mine.flatMap(({ reservationId, time = '' }) => {
    const all = rows.filter((row) => row['reservationId'] === reservationId);
    if (all.some(({ kind }) => kind === 'voided')) return [];
    const toMs = Math.max(...all.map((row) => Date.parse(row['time'] ?? '')));
    return [{ fromMs: Date.parse(time), toMs }];
  });
}

/** Times of our writes. Undone and corrected values are left out, because people may do both at any time. */
function writesTo({ agreed, undone }: Evidence, { id, history }: StoredRecord): Span[] {
  if (agreed.hasLateWrites || undone.some((one) => one.id === id)) return [];
  return Object.entries(history).flatMap(([property, entries]) =>
    entries
      .filter(({ value, sourceId }) => value !== '' && sourceId === String(agreed.appId))
      .filter(() => !property.startsWith('enrichment_'))
      .map(({ timestamp }) => ({ fromMs: timestamp, toMs: timestamp })),
  );
}

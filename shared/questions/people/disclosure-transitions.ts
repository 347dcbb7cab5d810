import { DAY_MS } from '#shared/kernel';
import type { ExpiryPolicy } from '#shared/store';
import { LOOKUPS, type QuestionOperation } from '../question.ts';
import {
  type DisclosedRecord,
  type DisclosedRequest,
  type Disclosure,
  MAX_DISCLOSED_FIELDS,
  MAX_DISCLOSED_IDENTIFIERS,
  MAX_DISCLOSED_RECORDS,
  MAX_DISCLOSED_REQUESTS,
  type TimeSpan,
} from '../schemas.ts';

/**
 * The states of a disclosure record.
 *
 *     none --withRequest | withRecord--> held --withRequest, withRecord--> held
 *                                         |
 *                                         +-- ended --> ended (the record stays) --withRequest, withRecord--> held again
 *                                         |
 *                                         +-- forgotten --> proof only: hashes, dates, sources
 */
export interface DisclosedPerson {
  /** Keyed hash that names the disclosure record. */
  readonly person: string;
  /** Keyed hashes of addresses and profiles. */
  readonly identifiers: readonly string[];
}

/** Names of an answer's fields that have a value. */
export function namesOfFields(record: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const isGiven = (value: unknown) =>
    value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.entries(record ?? {})
    .filter(([, value]) => isGiven(value))
    .map(([name]) => name)
    .slice(0, MAX_DISCLOSED_FIELDS);
}

/** Adds a request of which a source received the identifiers. A late answer replaces its request without an answer. */
export function withRequest(
  known: Disclosure | undefined,
  person: DisclosedPerson,
  request: DisclosedRequest,
): Disclosure {
  const { atMs, question, fields } = request;
  const item = toldBy(known ?? newDisclosure(person, atMs), person, request);
  const before = item.requests.find((each) => each.question === question && each.atMs === atMs);
  if (before && (before.answerUntilMs !== undefined || request.answerUntilMs === undefined)) return item;
  const requests = item.requests.filter((each) => each !== before);
  const held = fields.length > 0 ? withObtained(item, atMs) : item;
  const asked = { ...held, asked: widened(held.asked, atMs) };
  return item.forgottenAtMs === undefined ? { ...asked, ...listed({ ...item, requests }, request) } : asked;
}

/** Extends the span of obtained data. After the earlier values were removed, a new span starts. */
function withObtained(item: Disclosure, atMs: number): Disclosure {
  const { endedAtMs, obtained, ...rest } = item;
  if (endedAtMs === undefined) return { ...rest, obtained: widened(obtained, atMs) };
  return atMs > endedAtMs ? { ...rest, obtained: widened(undefined, atMs) } : item;
}

/** Starts a new span if a value is written to HubSpot after the end, for example from a stored answer. */
function reopened(item: Disclosure, atMs: number): Disclosure {
  const { endedAtMs, obtained: _, ...rest } = item;
  return endedAtMs !== undefined && atMs > endedAtMs ? rest : item;
}

function newDisclosure({ person, identifiers }: DisclosedPerson, atMs: number): Disclosure {
  const asked = { firstAtMs: atMs, lastAtMs: atMs };
  return { person, identifiers, sources: [], asked, requests: [], records: [] };
}

/** Adds the person's identifiers, and the vendor of the lookup as a source. */
function toldBy(
  item: Disclosure,
  { identifiers }: DisclosedPerson,
  { operation }: { readonly operation: QuestionOperation },
): Disclosure {
  const all = [...new Set([...item.identifiers, ...identifiers])].slice(0, MAX_DISCLOSED_IDENTIFIERS);
  const sources = [...new Set([...item.sources, LOOKUPS[operation].vendor.name])];
  const isKnown = all.length === item.identifiers.length && sources.length === item.sources.length;
  return isKnown ? item : { ...item, identifiers: all, sources };
}

function widened(span: TimeSpan | undefined, atMs: number): TimeSpan {
  return {
    firstAtMs: Math.min(span?.firstAtMs ?? atMs, atMs),
    lastAtMs: Math.max(span?.lastAtMs ?? atMs, atMs),
  };
}

/** Adds a request to the list. If the list is full, the oldest request is added to the sums. */
function listed(
  { requests, earlierRequests }: Disclosure,
  request: DisclosedRequest,
): Pick<Disclosure, 'requests' | 'earlierRequests'> {
  const all = [...requests, request].sort((a, b) => a.atMs - b.atMs);
  const [oldest, ...others] = all;
  if (all.length <= MAX_DISCLOSED_REQUESTS || !oldest)
    return { requests: all, ...(earlierRequests && { earlierRequests }) };
  const sums = earlierRequests ?? [];
  const isSame = (sum: Pick<DisclosedRequest, 'source' | 'operation'>) =>
    sum.source === oldest.source && sum.operation === oldest.operation;
  const sum = sums.find(isSame);
  const { source, operation, atMs } = oldest;
  const summed = {
    source,
    operation,
    ...widened(sum, atMs),
    times: (sum?.times ?? 0) + 1,
    sent: [...new Set([...(sum?.sent ?? []), ...oldest.sent])],
    fields: [...new Set([...(sum?.fields ?? []), ...oldest.fields])].slice(0, MAX_DISCLOSED_FIELDS),
  };
  return { requests: others, earlierRequests: [...sums.filter((each) => !isSame(each)), summed] };
}

export interface Delivery extends Pick<DisclosedRecord, 'record' | 'operation' | 'properties'> {
  /** When the values are written to HubSpot. */
  readonly atMs: number;
  /** When the source returned the values. */
  readonly askedAtMs: number;
}

/** Adds a HubSpot record that is about to receive values of the person. */
export function withRecord(
  known: Disclosure | undefined,
  person: DisclosedPerson,
  { record, operation, properties, atMs, askedAtMs }: Delivery,
): Disclosure {
  const item = toldBy(known ?? newDisclosure(person, askedAtMs), person, { operation });
  if (item.forgottenAtMs !== undefined) return item;
  const isSameRecord = (each: DisclosedRecord) => each.record === record && each.operation === operation;
  const before = item.records.find(isSameRecord);
  const updated = {
    record,
    operation,
    ...widened(before, atMs),
    properties: [...new Set([...(before?.properties ?? []), ...properties])],
  };
  const all = [...item.records.filter((each) => !isSameRecord(each)), updated];
  const dropped = Math.max(0, all.length - MAX_DISCLOSED_RECORDS);
  const earlier = (item.earlierRecords ?? 0) + dropped;
  return {
    // If the worker crashed directly after it stored the answer, the obtained data are noted here first.
    ...withObtained(reopened(item, atMs), askedAtMs),
    asked: widened(item.asked, askedAtMs),
    records: all.slice(dropped),
    ...(earlier > 0 && { earlierRecords: earlier }),
  };
}

/** Ends the disclosure record, because the person's last values expired or their source was recalled. */
export function endedDisclosure(item: Disclosure, nowMs: number): Disclosure {
  return item.forgottenAtMs === undefined ? { ...item, endedAtMs: nowMs } : item;
}

/** Removes everything but the proof, because the person is forgotten. */
export function forgotten(item: Disclosure, nowMs: number): Disclosure {
  const { person, identifiers, sources, asked, obtained, forgottenAtMs = nowMs } = item;
  const proof = { person, identifiers, sources, asked, ...(obtained && { obtained }) };
  return { ...proof, requests: [], records: [], forgottenAtMs };
}

/** Returns when the disclosure record expires: `keepDisclosures` days after the person's last data are removed. */
export function disclosureExpiry(
  { forgottenAtMs, endedAtMs, records, earlierRecords, requests, asked }: Disclosure,
  { privacy: { keepDisclosures } }: ExpiryPolicy,
): number | undefined {
  const isInHubSpot = records.length > 0 || earlierRecords !== undefined;
  const heldUntilMs = Math.max(asked.lastAtMs, ...requests.map(({ answerUntilMs = 0 }) => answerUntilMs));
  const endMs = forgottenAtMs ?? endedAtMs ?? (isInHubSpot ? undefined : heldUntilMs);
  return endMs === undefined ? undefined : endMs + keepDisclosures * DAY_MS;
}

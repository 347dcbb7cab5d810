import type { HistoryEntry, StoredRecord } from '../../../../infra/sandbox/hubspot/state.ts';
import type { Evidence, Rejected } from './evidence.ts';
import { paidRequests } from './requests.ts';

const MINUTE_MS = 60_000;
/** Longest lifetime of a worker that started before a person opted out. */
const UNDER_WAY_MS = 10 * MINUTE_MS;
/** A deletion arrives as a message, whose workers may crash. */
const TOLD_MS = 30 * MINUTE_MS;
/** Without crashes, all pending requests are sent by then. */
const AFTER_MS = 3_000;
/** Time from reading to writing, in addition to the request itself. */
const AT_ONCE_MS = 100;

/** Checks values that people wrote or emptied, and people's refusals. */
export function peopleFaults(evidence: Evidence): string[] {
  const records = Object.values(evidence.hubSpot.records).flatMap((ofType) => Object.values(ofType));
  return [
    ...records.flatMap((record) => overwritten(evidence, record)),
    ...writtenAfterUndo(evidence),
    ...askedAfterOptOut(evidence, Object.values(evidence.hubSpot.records['0-1'])),
    ...records.flatMap((record) => writtenAfterOptOut(evidence, record)),
    ...askedAfterErasure(evidence),
    ...heldAfterErasure(evidence),
    ...toldInLogs(evidence),
  ];
}

/** Uses HubSpot's own history. Our values never overwrite another author's, and emptied properties stay empty. */
function overwritten({ agreed }: Evidence, record: StoredRecord): string[] {
  const isOurs = ({ sourceType, sourceId }: HistoryEntry) =>
    sourceType === 'INTEGRATION' && sourceId === String(agreed.appId);
  // A write of only our own status reads nothing else.
  const told = Object.entries(record.history).filter(([property]) => !property.startsWith('enrichment_'));
  const all = told.flatMap(([, entries]) => entries);
  const wereWeThere = (from: number, to: number) =>
    all.some((entry) => isOurs(entry) && entry.timestamp >= from && entry.timestamp <= to);
  const requests = record.history['enrichment_requested'] ?? [];
  // A request that no worker has handled yet equals a later one.
  const isAskedFor = (from: number, to: number) =>
    requests.some(({ value, timestamp }) => value === 'true' && timestamp >= from && timestamp <= to) ||
    requests.find(({ timestamp }) => timestamp <= from)?.value === 'true';
  return Object.entries(record.history).flatMap(([property, newestFirst]) => {
    // These properties are ours, whoever wrote them before.
    if (property.startsWith('enrichment_')) return [];
    const entries = newestFirst.toReversed();
    return entries.flatMap((ours, index) => {
      const place = entries.slice(0, index).findLastIndex((entry) => !isOurs(entry));
      const [before, theirs] = [entries[place - 1], entries[place]];
      if (!isOurs(ours) || !theirs || ours.value === theirs.value) return [];
      const [fromMs, toMs] = [theirs.timestamp, ours.timestamp];
      const tookMs = toMs - fromMs;
      if (tookMs <= agreed.portalLatencyMs + AT_ONCE_MS) return [];
      // A late write of HubSpot is repaired as soon as it is seen. Of two values within seconds, one repairs both.
      const since = entries.slice(index + 1);
      const typed = new Set(entries.flatMap((entry) => (isOurs(entry) ? [] : [entry.value])));
      if (agreed.hasLateWrites && since.some((each) => !isOurs(each) || typed.has(each.value))) return [];
      if (theirs.value !== '')
        return [`${property} of ${record.id} replaced another author's value, ${tookMs} ms after`];
      // We may never have seen values that came and went while we wrote nothing to the record.
      if (isAskedFor(fromMs, toMs) || !before || !wereWeThere(before.timestamp, fromMs)) return [];
      // The order of history alone does not show whether a value was emptied before or after our write.
      if (agreed.hasLateWrites && !isOurs(before)) return [];
      return [`${property} of ${record.id} was filled though a person had emptied it, ${tookMs} ms after`];
    });
  });
}

/** An undone value stays undone: we write another value only after a person has changed it. */
function writtenAfterUndo({ undone, hubSpot, agreed }: Evidence): string[] {
  if (agreed.hasLateWrites) return [];
  return undone.flatMap(({ id, atMs, property, to }) => {
    const { history = {} } = hubSpot.records['0-1'][id] ?? {};
    const since = (history[property] ?? []).filter(({ timestamp }) => timestamp > atMs).toReversed();
    const [next] = since;
    if (!next || next.sourceId !== String(agreed.appId) || next.value === (to ?? '')) return [];
    const isAskedFor = (history['enrichment_requested'] ?? []).some(
      ({ value, timestamp }) => value === 'true' && timestamp <= next.timestamp,
    );
    // A request for the record fills blanks.
    if (property.startsWith('enrichment_') || (isAskedFor && !to)) return [];
    return [`${property} of ${id} replaced a value that a person had restored`];
  });
}

/** The identifier of a question, if it belongs to one person. */
function askedBy(query: URLSearchParams): string | undefined {
  return query.get('email') ?? query.get('network_url') ?? query.get('phone') ?? undefined;
}

export function identifiersOf(values: Readonly<Record<string, string>>): string[] {
  const { email, hs_linkedin_url: url, phone, mobilephone } = values;
  return [email, url, phone, mobilephone].flatMap((text) => (text ? [plain(text)] : []));
}

/** One spelling for equal values. */
function plain(text: string): string {
  if (/^\+?[\d\s()-]+$/.test(text)) return text.replaceAll(/[\s()-]/g, '');
  return text.toLowerCase().replace(/^https?:\/\/(www\.)?/, '');
}

/** No question uses an identifier that only contacts with an opt-out have. */
function askedAfterOptOut({ bill }: Evidence, contacts: readonly StoredRecord[]): string[] {
  const refusedAt = ({ history }: StoredRecord) =>
    history['hs_contact_enrichment_opt_out']?.find(({ value }) => value === 'true')?.timestamp;
  const willing = contacts.filter((contact) => refusedAt(contact) === undefined);
  const free = new Set(willing.flatMap(({ values }) => identifiersOf(values)));
  return contacts.flatMap((contact) => {
    const atMs = refusedAt(contact);
    const own = identifiersOf(contact.values).filter((identifier) => !free.has(identifier));
    return paidRequests(bill.requests)
      .filter((request) => atMs !== undefined && request.atMs > atMs + UNDER_WAY_MS)
      .filter(({ query }) => own.includes(plain(askedBy(query) ?? '')))
      .map(({ raw }) => `${raw} was asked though contact ${contact.id} had opted out`);
  });
}

/**
 * A person who opts out during a lookup is not written to. A value that a late write replaced is restored nevertheless.
 */
function writtenAfterOptOut({ agreed }: Evidence, { id, history }: StoredRecord): string[] {
  const refusal = history['hs_contact_enrichment_opt_out']?.find(({ value }) => value === 'true');
  if (!refusal || agreed.hasLateWrites) return [];
  const fromMs = refusal.timestamp + agreed.portalLatencyMs + AT_ONCE_MS;
  return Object.entries(history).flatMap(([property, entries]) => {
    const ours = entries.find(
      ({ sourceId, timestamp }) => sourceId === String(agreed.appId) && timestamp > fromMs,
    );
    if (!ours || property.startsWith('enrichment_')) return [];
    return [
      `${property} of ${id} was written ${ours.timestamp - refusal.timestamp} ms after its person had opted out`,
    ];
  });
}

/** After a privacy deletion, no table holds an address or profile of a contact that had been looked up. */
function heldAfterErasure({ stored, erased }: Evidence): string[] {
  return erased.flatMap(({ id, properties }) => {
    const { email = '', hs_linkedin_url: url = '', enrichment_status: status } = properties;
    if (status === undefined) return [];
    const held = identifiersOf({ email, hs_linkedin_url: url }).filter((each) => stored.includes(each));
    return held.length > 0 ? [`an answer about contact ${id} is kept though it was deleted for privacy`] : [];
  });
}

/**
 * After a privacy deletion, a contact that had been looked up is not looked up again by the same address or profile.
 * For a contact that no worker had read, a deletion carries only its id.
 */
function askedAfterErasure({ agreed, bill, erased }: Evidence): string[] {
  const paid = paidRequests(bill.requests);
  return erased.flatMap(({ id, atMs, toldAtMs = atMs + TOLD_MS, properties }) => {
    const { email = '', hs_linkedin_url: url = '', enrichment_status: status } = properties;
    if (status === undefined) return [];
    const fromMs = agreed.areAllHeard ? toldAtMs + AFTER_MS : atMs + TOLD_MS;
    const own = identifiersOf({ email, hs_linkedin_url: url });
    const asked = paid.filter(({ query }) => own.includes(plain(askedBy(query) ?? '')));
    const known = new Set(asked.filter((request) => request.atMs < atMs).map(({ raw }) => raw));
    return asked
      .filter((request) => request.atMs > fromMs && known.has(request.raw))
      .map(({ raw }) => `${raw} was asked though contact ${id} had been deleted for privacy`);
  });
}

/** No log contains an identifier of any question to the vendor. */
function toldInLogs({ bill, logs }: Evidence): string[] {
  const text = logs.toLowerCase();
  const personal = paidRequests(bill.requests).flatMap(({ query }) => askedBy(query) ?? []);
  const told = personal.filter((each) => text.includes(plain(each).split('/').at(-1) ?? each));
  return told.length > 0 ? ['a log line holds personal data'] : [];
}

const TYPES = { contacts: '0-1', companies: '0-2' } as const;

/** Values that tell a person or a company from others. */
const TELLING = {
  contacts: ['jobtitle', 'hs_linkedin_url', 'mobilephone'],
  companies: ['description', 'linkedin_company_page'],
} as const;

/** After a person has rejected a match, the app writes none of its values to the record again. */
export function rejectedFaults({ agreed, hubSpot, rejected }: Evidence): string[] {
  return rejected.flatMap(({ objectType, id, atMs, values }: Rejected) => {
    const history = hubSpot.records[TYPES[objectType]][id]?.history ?? {};
    const isBack = (property: string) =>
      (history[property] ?? []).some(
        ({ timestamp, sourceId, value }) =>
          timestamp >= atMs &&
          sourceId === String(agreed.appId) &&
          value !== '' &&
          value === values[property],
      );
    return TELLING[objectType]
      .filter(isBack)
      .map(
        (property) => `${property} of ${objectType} ${id} is again that of the rejected person or company`,
      );
  });
}

/** Tolerance for clocks that differ. */
const SLACK_MS = 10_000;

/** A proposed job title is written only after a person accepts it, and can be undone at any time. */
export function acceptanceFaults({ agreed, hubSpot, accepted }: Evidence): string[] {
  if (!agreed.isShadowed) return [];
  return Object.values(hubSpot.records['0-1']).flatMap(({ id, history }) =>
    (history['jobtitle'] ?? []).flatMap(({ value, timestamp, sourceId }) => {
      const isOurs = value !== '' && sourceId === String(agreed.appId);
      const isAccepted = accepted.some(
        ({ fromMs, toMs }) => timestamp >= fromMs - SLACK_MS && timestamp <= toMs + SLACK_MS,
      );
      return isOurs && !isAccepted
        ? [`jobtitle of contact ${id} was written though it was not accepted`]
        : [];
    }),
  );
}

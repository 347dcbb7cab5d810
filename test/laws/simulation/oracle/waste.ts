import type { Evidence } from './evidence.ts';
import { type Paid, paidRequests } from './requests.ts';

const MINUTE_MS = 60_000;
/** Refusals that show that HubSpot accepts no writes. */
const LESSONS = 3;
/** Time until the last refusal is received, and requests in progress are answered. */
const LEARNING_MS = 5 * MINUTE_MS;
/** Time after which one purchase tests HubSpot again: a quarter of an hour. */
const PROBE_MS = 14 * MINUTE_MS;
/** The retry interval equals the time of the outage, which is hours here. */
const WRITTEN_MS = 24 * 60 * MINUTE_MS;

/** Purchases are useful. */
export function wasteFaults(evidence: Evidence): string[] {
  const paid = paidRequests(evidence.bill.requests);
  return [
    ...boughtInVain(evidence, paid),
    ...writtenLate(evidence),
    ...notRefilled(evidence),
    ...refusedForGood(evidence),
  ];
}

function boughtInVain({ closed }: Evidence, paid: readonly Paid[]): string[] {
  return closed.flatMap(({ fromMs, toMs }) =>
    [true, false].flatMap((isCompany) => {
      const inVain = paid.filter(
        ({ atMs, end, operation }) =>
          atMs > fromMs && atMs < toMs && end === 'found' && operation.startsWith('company') === isCompany,
      );
      const learntMs = (inVain[LESSONS - 1]?.atMs ?? toMs) + LEARNING_MS;
      const found = inVain.filter(({ atMs }) => atMs > learntMs);
      const early = found.filter(({ atMs }, index) => atMs < (found[index - 1]?.atMs ?? 0) + PROBE_MS);
      return early.length > 0
        ? [`${early.length} answers were bought one after the other while HubSpot took no writes`]
        : [];
    }),
  );
}

/** Values that could not be written for a while are written within a day afterwards. */
function writtenLate({ agreed, closed, hubSpot }: Evidence): string[] {
  // Other faults may delay it further.
  if (!agreed.isUnstruck) return [];
  const records = Object.values(hubSpot.records).flatMap((ofType) => Object.values(ofType));
  return closed.flatMap(({ fromMs, toMs }) =>
    records.flatMap(({ id, createdAt, history }) => {
      // A status alone does not matter.
      const values = Object.entries(history).filter(([property]) => !property.startsWith('enrichment_'));
      const ours = values.flatMap(([, entries]) =>
        entries.filter(({ sourceId }) => sourceId === String(agreed.appId)),
      );
      const firstMs = Math.min(...ours.map(({ timestamp }) => timestamp));
      const isLate = createdAt > fromMs && createdAt < toMs && firstMs > toMs + WRITTEN_MS;
      return isLate && ours.length > 0
        ? [`${id} was written only ${firstMs - toMs} ms after HubSpot took writes again`]
        : [];
    }),
  );
}

/** A person who is found by a profile and has a phone gets the phone, if the policy wants phones. */
function notRefilled({ agreed, hubSpot, people, told }: Evidence): string[] {
  if (!agreed.wantPhone) return [];
  return told.records.flatMap(({ name, explained }) => {
    const [type, id = ''] = name.split('/');
    const record = type === 'contacts' ? hubSpot.records['0-1'][id] : undefined;
    const urls = record?.history['hs_linkedin_url'] ?? [];
    const isKnown = /"kind":\s*"(enriched|unchanged)"/.test(explained ?? '');
    // A phone cannot be bought by an address alone.
    if (!record || !isKnown || urls.length !== 1 || urls[0]?.sourceId === String(agreed.appId)) return [];
    const person = people.find(({ networkSlug }) => urls[0]?.value.endsWith(`/in/${networkSlug}`));
    const { mobilephone, phone } = record.history;
    if (!person?.mobile || mobilephone || phone) return [];
    return [`contact ${id} never got the phone that could be bought`];
  });
}

/** After all faults, formerly refused values are written. */
function refusedForGood({ refusedForGood: names }: Evidence): string[] {
  return names.map((name) => `${name} was given up, although HubSpot takes everything again`);
}

import type { Crm } from '#shared/crm';
import { DAY_MS, utcDay } from '#shared/kernel';
import { type RecordItems, recordKind } from '#shared/records';

const DUE = 'enrichment_notice_due';
const SENT = 'enrichment_notice_sent_at';

type NoticeCrm = Pick<Crm, 'list' | 'definitions'>;

interface NoticeServices {
  readonly crm: NoticeCrm & Pick<Crm, 'read'>;
  readonly records: RecordItems;
}

/** Builds the filter for contacts whose notice was due by the end of this day, and was not sent. */
function unsentBy(atMs: number): Parameters<Crm['list']>[0]['where'] {
  return [
    { property: DUE, upToMs: Date.parse(utcDay(atMs)) },
    { property: SENT, blank: true },
  ];
}

/** Whether the account has both properties. HubSpot refuses a search by a property that it lacks. */
async function hasProperties(crm: NoticeCrm): Promise<boolean> {
  const definitions = await crm.definitions('contacts');
  return definitions.has(DUE) && definitions.has(SENT);
}

/**
 * Yields pages of contacts whose notice was not sent. Each page needs one search and one read in HubSpot, and costs no
 * credits.
 * @param query.dueByMs the last due day that counts.
 */
export async function* unsentNotices(
  { crm, records: states }: NoticeServices,
  { dueByMs }: { readonly dueByMs: number },
): AsyncGenerator<{ readonly notices: readonly Notice[]; readonly total: number }> {
  if (!(await hasProperties(crm))) return;
  const where = unsentBy(dueByMs);
  let total: number | undefined;
  for (let afterId: string | undefined; ; ) {
    const page = await crm.list({ objectType: 'contacts', where, afterId, limit: PAGE });
    total ??= page.total;
    const { records } = await crm.read({ objectType: 'contacts', ids: page.ids, properties: READ });
    const listed = [...records.values()].map(async ({ id, properties }) => {
      const due = properties[DUE];
      // HubSpot's search may lag by some moments.
      if (!due || properties[SENT]) return [];
      const { enrichment_first_at: first, enrichment_source: source } = properties;
      const state = (await states.read(recordKind.key({ objectType: 'contacts', id })))?.value;
      const isForgotten = state?.forgottenAtMs !== undefined;
      return [{ id, dueDay: dayIn(due), firstAt: first ?? '', operation: source ?? '', isForgotten }];
    });
    yield { notices: (await Promise.all(listed)).flat(), total };
    afterId = page.ids.at(-1);
    if (page.ids.length < PAGE || afterId === undefined) return;
  }
}

/** Parses a date, which HubSpot returns as a day or as epoch milliseconds. */
function dayIn(value: string): string {
  return /^\d{10,}$/.test(value) ? utcDay(Number(value)) : value.slice(0, 10);
}

const PAGE = 100;
const READ = [DUE, SENT, 'enrichment_first_at', 'enrichment_source'];

export interface Notice {
  /** Id of the contact. */
  readonly id: string;
  /** `2026-12-21`, in UTC. */
  readonly dueDay: string;
  /** Time when we first obtained data about the person, ISO 8601; `''` if HubSpot does not have it. */
  readonly firstAt: string;
  /** Operation of the question whose answer contained the values. */
  readonly operation: string;
  /** Whether the person was forgotten here, and only HubSpot still has the contact. */
  readonly isForgotten: boolean;
}

/** Number of days after which an overdue notice raises an alarm. */
const LATE_DAYS = 7;

/** Returns the number of notices that are overdue by a week or longer. */
export function countLateNotices(crm: NoticeCrm, nowMs: number): Promise<number> {
  return countUnsent(crm, nowMs - LATE_DAYS * DAY_MS);
}

/** Returns the number of notices that were due by today and not sent. */
export function countDueNotices(crm: NoticeCrm, nowMs: number): Promise<number> {
  return countUnsent(crm, nowMs);
}

/** Makes one search, and reads only its total. */
async function countUnsent(crm: NoticeCrm, dueByMs: number): Promise<number> {
  if (!(await hasProperties(crm))) return 0;
  return (await crm.list({ objectType: 'contacts', where: unsentBy(dueByMs), limit: 1 })).total;
}

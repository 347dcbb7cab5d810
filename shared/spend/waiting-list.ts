import {
  type RecordItems,
  type RecordPlace,
  type RecordState,
  recordKind,
  recordPlace,
  WAITING_PLACES,
} from '#shared/records';
import { readCursor } from '#shared/store';
import { type RefusedQuery, refusedQuery } from './query-refusals.ts';
import type { Query } from './selection.ts';

/** The chosen part of the waiting records. */
export interface WaitingQuery {
  /** Only records of this index partition. */
  readonly place?: RecordPlace | undefined;
  /** End of the previous page. */
  readonly after?: { readonly place: RecordPlace; readonly cursor: string } | undefined;
}

export interface WaitingPage {
  /**
   * Sorted by index partition. Within a queue, the longest wait comes first. Records with a due time are sorted by this
   * time.
   */
  readonly records: readonly RecordState[];
  /** `after` of the next page, as a parameter. */
  readonly next?: string;
}

/** Number of records on a page. */
const LIMIT = 50;

/** Reads the index partitions of waiting records, the most urgent first, one page of the index at a time. */
export async function listWaiting(
  records: Pick<RecordItems, 'page'>,
  query: WaitingQuery,
): Promise<WaitingPage> {
  const { found, end } = await readWaiting(records, query, LIMIT);
  if (!end) return { records: found };
  const following = await readWaiting(records, { ...query, after: end }, 1);
  const isLast = following.found.length === 0 && !following.end;
  return isLast ? { records: found } : { records: found, next: `${end.place}:${end.cursor}` };
}

/** @returns `end` if more records may follow, because a page may be short or empty without being the last one. */
async function readWaiting(
  records: Pick<RecordItems, 'page'>,
  { place, after }: WaitingQuery,
  limit: number,
): Promise<{ readonly found: RecordState[]; readonly end?: WaitingQuery['after'] }> {
  const places = place ? [place] : WAITING_PLACES;
  const found: RecordState[] = [];
  let cursor = after?.cursor;
  for (const partition of places.slice(after ? Math.max(0, places.indexOf(after.place)) : 0)) {
    if (found.length === limit) return { found, end: { place: partition, cursor: '' } };
    const page = await records.page({
      partition: recordKind.partition(partition),
      after: cursor,
      limit: limit - found.length,
    });
    // The index may lag. A record that has left this partition no longer waits here.
    found.push(...page.values.filter((state) => recordPlace(state).partition === partition));
    if (page.next !== undefined) return { found, end: { place: partition, cursor: page.next } };
    cursor = undefined;
  }
  return { found };
}

/** Reads `place` and `after`. An empty parameter counts as absent. */
export function parseWaiting(
  query: Query,
): { readonly kind: 'waiting'; readonly query: WaitingQuery } | RefusedQuery {
  const place = placeOf(query['place']);
  if (query['place'] && !place)
    return refusedQuery('unknown-choice', { parameter: 'place', choices: WAITING_PLACES.join(', ') });
  if (!query['after']) return { kind: 'waiting', query: { place } };
  const [name = '', ...rest] = query['after'].split(':');
  const [afterPlace, cursor] = [placeOf(name), rest.join(':')];
  const isOfPlace = afterPlace !== undefined && (place === undefined || place === afterPlace);
  if (!isOfPlace || (cursor !== '' && !readCursor(cursor)))
    return refusedQuery('not-a-place', { parameter: 'after' });
  return { kind: 'waiting', query: { place, after: { place: afterPlace, cursor } } };
}

function placeOf(name: string | undefined): RecordPlace | undefined {
  return WAITING_PLACES.find((place) => place === name);
}

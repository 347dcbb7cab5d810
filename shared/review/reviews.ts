import type { RecordName } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import { change, type IndexedItems, type VersionedItems } from '#shared/store';
import {
  FINDING_KINDS,
  type FindingKind,
  type FindingState,
  MAX_EARLIER_PREVIEWS,
  type Preview,
  type Review,
  type ShownPreview,
} from './schemas.ts';
import { PREVIEW_MS, previewKind, reviewKind, reviewPartition } from './stored-kinds.ts';
import {
  absorbed,
  type Decided,
  decided,
  foundDuplicate,
  isUndecided,
  type NewFinding,
  purgedReview,
  recordGone,
  withFindingsOfAnswer,
} from './transitions.ts';

/** Findings of records. Each record with findings has one item; a record without findings has none. */
export interface Reviews {
  /**
   * Stores all findings of an answer about the record, after the answer was examined. It can be repeated.
   * @returns the number of the record's undecided findings.
   */
  looked(record: RecordName, found: readonly NewFinding[]): Promise<number>;
  /** Stores that other records are about the same person. It can be repeated. */
  duplicate(record: RecordName, found: NewFinding): Promise<void>;
  /** Ends the findings of a record that was deleted or merged into another one. */
  gone(record: RecordName): Promise<void>;
  /** If a record was merged into this one, removes it from the list of duplicates. */
  absorbed(record: RecordName, id: string): Promise<void>;
  /** @param by the person who decides; absent if nobody does. */
  decide(
    record: RecordName,
    kind: FindingKind,
    to: Exclude<FindingState, 'open'>,
    by?: string,
  ): Promise<Decided>;
  read(record: RecordName): Promise<Review | undefined>;
  /** Returns a page of records with undecided findings. The most serious findings come first. */
  page(query: ReviewQuery): Promise<ReviewPage>;
  /** Stores the values that accepting a finding would write, besides the values for other requests. */
  keepPreview(preview: Preview): Promise<void>;
  /** @returns the values that were stored for the request; `undefined` after some minutes. */
  readPreview(record: RecordName, requestId: string): Promise<ShownPreview | undefined>;
  /**
   * Erases all findings and stored values of the record.
   * @param isHeld whether a worker may hold the record. The worker must not add a finding afterwards.
   */
  purge(record: RecordName, isHeld: boolean): Promise<void>;
}

export interface ReviewQuery {
  /** Reads only records with an undecided finding of this kind; without it, of any kind. */
  readonly kind?: FindingKind | undefined;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
}

export interface ReviewPage {
  readonly values: readonly Review[];
  /** Position of the next page; absent on the last page. A page before the last can be empty. */
  readonly next?: string | undefined;
}

export type ReviewItems = IndexedItems<Review>;

export interface ReviewStores {
  readonly items: ReviewItems;
  readonly previews: VersionedItems<Preview>;
  readonly clock: Clock;
}

export function createReviews({ items, previews, clock }: ReviewStores): Reviews {
  const itemOf = ({ objectType, id }: RecordName) => ({
    key: reviewKind.key({ objectType, id }),
    kind: 'review',
    clock,
  });
  const changeReview = (record: RecordName, next: (review: Review | undefined) => Review | undefined) =>
    change(items, itemOf(record), (known) => {
      const value = next(known);
      return { value, now: value ?? known };
    });
  return {
    looked: async (record, found) => {
      const { now } = await changeReview(record, (known) =>
        withFindingsOfAnswer(known, { record, found, nowMs: clock.now() }),
      );
      return (now?.findings ?? []).filter(isUndecided).length;
    },
    duplicate: async (record, found) => {
      await changeReview(record, (known) => foundDuplicate(known, { record, found, nowMs: clock.now() }));
    },
    gone: async (record) => {
      await changeReview(record, (known) => recordGone(known, clock.now()));
    },
    absorbed: async (record, id) => {
      await changeReview(record, (known) => absorbed(known, id, clock.now()));
    },
    decide: async (record, kind, to, by) => {
      const { decision } = await change(items, itemOf(record), (known) => {
        const decision = decided(known, { kind, to, by, nowMs: clock.now() });
        return { decision, value: decision.kind === 'decided' ? decision.review : undefined };
      });
      return decision;
    },
    read: async (record) => (await items.read(itemOf(record).key))?.value,
    page: (query) => pageOf(items, query),
    keepPreview: async (preview) => {
      const item = { key: previewKind.key({ ...preview, id: preview.recordId }), kind: 'preview', clock };
      await change(previews, item, (known) => {
        const others = shownOf(known, clock.now()).filter(({ requestId }) => requestId !== preview.requestId);
        return { value: { ...preview, earlier: others.slice(0, MAX_EARLIER_PREVIEWS) } };
      });
    },
    readPreview: async (record, requestId) => {
      const known = (await previews.read(previewKind.key(record)))?.value;
      return shownOf(known, clock.now()).find((shown) => shown.requestId === requestId);
    },
    purge: async (record, isHeld) => {
      const item = { key: previewKind.key(record), kind: 'preview', clock, isForgetting: true };
      await change(previews, item, (known) => ({
        value: known && { ...known, says: undefined, changes: [], earlier: [] },
      }));
      await change(items, { ...itemOf(record), isForgetting: true }, (known) => {
        const isDone = known?.forgotten === true;
        return { value: !isDone && (known || isHeld) ? purgedReview(record, clock.now()) : undefined };
      });
    },
  };
}

/** Lists the values for each request that can still be shown, newest first. */
function shownOf(known: Preview | undefined, nowMs: number): NonNullable<Preview['earlier']> {
  if (!known) return [];
  const { objectType: _type, recordId: _id, earlier = [], ...newest } = known;
  return [newest, ...earlier].filter((shown) => nowMs < shown.atMs + PREVIEW_MS);
}

/**
 * Reads one page. A record is listed under its most serious undecided finding, so the lists of all more serious kinds
 * are read too.
 */
async function pageOf(items: Pick<ReviewItems, 'page'>, { kind, after }: ReviewQuery): Promise<ReviewPage> {
  const kinds = kind === undefined ? FINDING_KINDS : FINDING_KINDS.slice(0, FINDING_KINDS.indexOf(kind) + 1);
  const [kindIndex = '0', cursor] =
    after === undefined ? [] : [after.slice(0, 1), after.slice(1) || undefined];
  const currentKind = kinds[Number(kindIndex)];
  if (currentKind === undefined) return { values: [] };
  const page = await items.page({
    partition: reviewKind.partition(reviewPartition(currentKind)),
    after: cursor,
  });
  const values = page.values.filter(({ findings }) =>
    findings.some((finding) => isUndecided(finding) && (kind === undefined || finding.kind === kind)),
  );
  if (page.next !== undefined) return { values, next: `${kindIndex}${page.next}` };
  return Number(kindIndex) + 1 < kinds.length ? { values, next: String(Number(kindIndex) + 1) } : { values };
}

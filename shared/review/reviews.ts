import type { RecordName } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import { change, type IndexedItems, type VersionedItems } from '#shared/versioned-items';
import { FINDING_KINDS, type FindingKind, type FindingState, type Preview, type Review } from './schemas.ts';
import { PREVIEW_MS, previewKind, reviewKind, reviewPartition } from './stored-kinds.ts';
import {
  absorbed,
  type Decided,
  decided,
  foundDuplicate,
  isUndecided,
  looked,
  type NewFinding,
  purgedReview,
  recordGone,
} from './transitions.ts';

/** Findings: one item for each record, and none for a record without findings. */
export interface Reviews {
  /**
   * After a look at an answer about the record: all that it found. Safe to repeat.
   * @returns the number of the record's undecided findings.
   */
  looked(record: RecordName, found: readonly NewFinding[]): Promise<number>;
  /** The same person was met in another record. Safe to repeat. */
  duplicate(record: RecordName, found: NewFinding): Promise<void>;
  /** The record was deleted, or merged into another one. */
  gone(record: RecordName): Promise<void>;
  /** Another record was merged into this one. */
  absorbed(record: RecordName, id: string): Promise<void>;
  decide(record: RecordName, kind: FindingKind, to: Exclude<FindingState, 'open'>): Promise<Decided>;
  read(record: RecordName): Promise<Review | undefined>;
  /** Records of which something is undecided, some at a time, the gravest first. */
  page(query: ReviewQuery): Promise<ReviewPage>;
  /** Stores the values that accepting a finding would write, in place of those for an earlier page. */
  keepPreview(preview: Preview): Promise<void>;
  /** @returns undefined after some minutes. */
  readPreview(record: RecordName): Promise<Preview | undefined>;
  /**
   * Takes everything out of what is known of the record.
   * @param isHeld a worker may be at it, and must not put anything up afterwards.
   */
  purge(record: RecordName, isHeld: boolean): Promise<void>;
}

export interface ReviewQuery {
  /** Only records with something undecided of this kind; of all kinds without it. */
  readonly kind?: FindingKind | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

export interface ReviewPage {
  readonly values: readonly Review[];
  /** Ask again with it, until there is none; a page may be empty before the last. */
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
  const step = (record: RecordName, next: (review: Review | undefined) => Review | undefined) =>
    change(items, itemOf(record), (known) => {
      const value = next(known);
      return { value, now: value ?? known };
    });
  return {
    looked: async (record, found) => {
      const { now } = await step(record, (known) => looked(known, { record, found, nowMs: clock.now() }));
      return (now?.findings ?? []).filter(isUndecided).length;
    },
    duplicate: async (record, found) => {
      await step(record, (known) => foundDuplicate(known, { record, found, nowMs: clock.now() }));
    },
    gone: async (record) => {
      await step(record, (known) => recordGone(known, clock.now()));
    },
    absorbed: async (record, id) => {
      await step(record, (known) => absorbed(known, id, clock.now()));
    },
    decide: async (record, kind, to) => {
      const { decision } = await change(items, itemOf(record), (known) => {
        const decision = decided(known, { kind, to, nowMs: clock.now() });
        return { decision, value: decision.kind === 'decided' ? decision.review : undefined };
      });
      return decision;
    },
    read: async (record) => (await items.read(itemOf(record).key))?.value,
    page: (query) => pageOf(items, query),
    keepPreview: async (preview) => {
      const item = { key: previewKind.key({ ...preview, id: preview.recordId }), kind: 'preview', clock };
      await change(previews, item, () => ({ value: preview }));
    },
    readPreview: async (record) => {
      const preview = (await previews.read(previewKind.key(record)))?.value;
      return preview && clock.now() < preview.atMs + PREVIEW_MS ? preview : undefined;
    },
    purge: async (record, isHeld) => {
      const item = { key: previewKind.key(record), kind: 'preview', clock, isForgetting: true };
      await change(previews, item, (known) => ({ value: known && { ...known, changes: [] } }));
      await change(items, { ...itemOf(record), isForgetting: true }, (known) => {
        const isDone = known?.forgotten === true;
        return { value: !isDone && (known || isHeld) ? purgedReview(record, clock.now()) : undefined };
      });
    },
  };
}

/** A record stands where its gravest undecided finding is. */
async function pageOf(items: Pick<ReviewItems, 'page'>, { kind, after }: ReviewQuery): Promise<ReviewPage> {
  const graver = kind === undefined ? FINDING_KINDS : FINDING_KINDS.slice(0, FINDING_KINDS.indexOf(kind) + 1);
  const [nth = '0', cursor] = after === undefined ? [] : [after.slice(0, 1), after.slice(1) || undefined];
  const place = graver[Number(nth)];
  if (place === undefined) return { values: [] };
  const page = await items.page({ partition: reviewKind.partition(reviewPartition(place)), after: cursor });
  const values = page.values.filter(({ findings }) =>
    findings.some((finding) => isUndecided(finding) && (kind === undefined || finding.kind === kind)),
  );
  if (page.next !== undefined) return { values, next: `${nth}${page.next}` };
  return Number(nth) + 1 < graver.length ? { values, next: String(Number(nth) + 1) } : { values };
}

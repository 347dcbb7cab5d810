import { type Clock, DAY_MS } from '#shared/kernel';
import { type Changed, change, kind, type Owners, type VersionedItems } from '#shared/store';
import { disclosureExpiry } from './people/disclosure-transitions.ts';
import {
  breakerStateSchema,
  disclosureSchema,
  type QuestionItem,
  questionItemSchema,
  type SideItem,
  sideItemSchema,
  suppressionItemSchema,
  vendorFactsSchema,
} from './schemas.ts';
import { questionExpiry } from './stored-answers.ts';

export interface SideItemServices {
  readonly sideItems: VersionedItems<SideItem>;
  readonly owners: Owners;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Changes an item. If `decide` returns `undefined`, nothing is written. */
export async function changeSideItem(
  { sideItems, clock }: SideItemServices,
  item: Pick<Changed, 'key' | 'kind' | 'isMostlyNew'>,
  decide: (item: SideItem | undefined) => SideItem | undefined,
): Promise<void> {
  await change(sideItems, { ...item, clock }, (known) => ({ value: decide(known) }));
}

/** Safety margin. DynamoDB deletes up to some days late, never early. */
const MARGIN_MS = DAY_MS;

/** Returns when an item may expire, epoch milliseconds; `undefined` for never. */
export function sideItemExpiry(item: SideItem): number | undefined {
  if (item.kind !== 'links') return undefined;
  // An item lasts as long as its further items, because they are found only by this item.
  const ends = [...item.links, ...(item.more ? [item.more] : [])].map(({ untilMs = Infinity }) => untilMs);
  const lastMs = Math.max(0, ...ends);
  return lastMs === Number.POSITIVE_INFINITY ? undefined : lastMs + MARGIN_MS;
}

export const questionKind = kind({
  name: 'question: attempts and answers, misses included',
  prefix: 'question',
  scope: 'buyer',
  table: 'state',
  schema: questionItemSchema,
  key: (questionKey: string) => questionKey,
  index: questionPlace,
  expiry: {
    kept: '`freshness` of the policy and 7 days; a miss twice as long as it was fresh',
    at: questionExpiry,
  },
  holdsPeople: 'all about the person, also in stored lists',
  bound: {
    olderAnswers:
      'Combinations of options that do not include each other; an answer that a wider one includes is dropped.',
  },
});

/** Indexes open and booked doubts. Other questions are not in the index. */
function questionPlace({ attempt, bookedDoubts }: QuestionItem) {
  if (attempt?.state === 'in-doubt') return { partition: 'doubts-open' as const, order: attempt.sentAtMs };
  const [oldest] = bookedDoubts ?? [];
  return oldest && { partition: 'doubts-booked' as const, order: oldest.sentAtMs };
}

/** Targets of an identifier: questions with answers about the person, HubSpot records, disclosure records. */
export type LinkKind = 'questions' | 'records' | 'disclosures';

type SideItemId =
  | { readonly links: LinkKind; readonly of: string; readonly nth: number }
  | { readonly forgets: number };

export const sideItemKind = kind({
  name: 'which answers and records a person is in, forgettings to repeat',
  prefix: 'link',
  scope: 'buyer',
  table: 'state',
  schema: sideItemSchema,
  key: (id: SideItemId) => {
    if ('forgets' in id) return `forgets#${id.forgets}`;
    return `${id.links}-of#${id.of}${id.nth === 1 ? '' : `#${id.nth}`}`;
  },
  expiry: { kept: 'as long as the item that they belong to', at: sideItemExpiry },
  holdsPeople: 'all but keyed hashes',
  bound: {
    due: 'One of 16 items. The sweep empties it; at 400 KB the deletion fails and its message is repeated.',
    'due.identifiers': 'Identifiers of one record, see `identifiers` of the record state.',
  },
});

export const suppressionKind = kind({
  name: 'suppression list: keyed hashes of forgotten people',
  prefix: 'forgotten',
  scope: 'buyer',
  table: 'proof',
  schema: suppressionItemSchema,
  key: (id: number | 'epoch') => String(id),
  expiry: { kept: 'no expiry' },
  holdsPeople: 'nothing: it prevents another lookup',
  bound: {
    hashes: 'One of 64 items of 12,000 hashes. A forgetting beyond 700,000 hashes fails and is reported.',
  },
});

export const disclosureKind = kind({
  name: 'disclosure record',
  prefix: 'disclosure',
  scope: 'buyer',
  table: 'proof',
  schema: disclosureSchema,
  key: (person: string) => person,
  expiry: {
    kept: 'as long as the person has other data here, and `privacy.keepDisclosures` days more',
    at: disclosureExpiry,
  },
  holdsPeople: 'all but keyed hashes, dates and sources',
  bound: {
    'records.properties': 'Properties of the policy, each once: no more than a HubSpot object has, 1,000.',
  },
});

export const breakersKind = kind({
  name: 'breakers of spending',
  prefix: 'breakers',
  scope: 'buyer',
  table: 'state',
  schema: breakerStateSchema,
  key: (mark: string) => mark,
  expiry: { kept: 'no expiry, one item for each vendor' },
  holdsPeople: false,
  bound: {},
});

export const vendorFactsKind = kind({
  name: 'facts about the vendor: findings of a probe, count of misses in unknown words',
  prefix: 'vendor-facts',
  scope: 'buyer',
  table: 'state',
  schema: vendorFactsSchema,
  key: (mark: string) => mark,
  expiry: { kept: 'no expiry, one item for each vendor' },
  holdsPeople: false,
  bound: {
    'findings.rateHeaders': 'Headers of one response, at most 16 KB; a larger response is refused.',
    'unknownMisses.words': 'MAX_SENTENCES; the oldest are dropped.',
  },
});

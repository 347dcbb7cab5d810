import type { Link, SideItem } from '../questions/side-item.ts';
import type { VersionedItems } from '../versioned-items/store.ts';
import { type IdentifierKeys, mergeKeys } from './identifiers.ts';
import { changeSideItem } from './side-items.ts';

type Items = VersionedItems<SideItem>;

/** What an identifier leads to: questions whose answers tell of the person, and records of HubSpot. */
export type LinkKind = 'questions' | 'records';

/**
 * Notes that an answer to the question is about these people, before the answer is stored. By what belongs to one
 * person alone, and only where there is nothing of that by the rest; never by the question's own key, which
 * leads there by itself. For an answer about one person that is one write at most, or two.
 */
export async function linkPeople(
  items: Items,
  { people, questionKey, untilMs, nowMs }: LinkedPeople,
): Promise<void> {
  const keys = mergeKeys(
    ...people.map(({ sure, likely }) => ({ sure: sure.length > 0 ? sure : likely, likely: [] })),
  );
  const foreign = keys.sure.filter((key) => key !== questionKey);
  const link = { to: questionKey, untilMs };
  await Promise.all(foreign.map((key) => addLink(items, { kind: 'questions', key, link, nowMs })));
}

interface LinkedPeople {
  readonly people: readonly IdentifierKeys[];
  readonly questionKey: string;
  /** When the answer is gone by itself, epoch milliseconds. */
  readonly untilMs: number;
  readonly nowMs: number;
}

/**
 * Lets a record of HubSpot be found by its person's address or profile, for as long as it is not forgotten.
 * Call it before the identifiers are kept in the record's state; repeating it costs a read an identifier.
 */
export async function rememberRecordIdentifiers(
  { sideItems }: { readonly sideItems: Items },
  recordKey: string,
  { sure }: IdentifierKeys,
): Promise<void> {
  const link = { to: recordKey };
  await Promise.all(sure.map((key) => addLink(sideItems, { kind: 'records', key, link, nowMs: 0 })));
}

export async function readLinks(items: Items, kind: LinkKind, key: string): Promise<readonly string[]> {
  const stored = await items.read(itemKey(kind, key));
  return stored?.value.kind === 'links' ? stored.value.links.map(({ to }) => to) : [];
}

/** Takes back that a record belongs to somebody. */
export async function dropRecordLinks(items: Items, key: string): Promise<void> {
  await changeSideItem(items, itemKey('records', key), (item) =>
    item?.kind === 'links' && item.links.length > 0 ? { kind: 'links', links: [] } : undefined,
  );
}

interface NewLink {
  readonly kind: LinkKind;
  readonly key: string;
  readonly link: Link;
  readonly nowMs: number;
}

/** Mostly an identifier is new, so the write is tried before anything is read. */
async function addLink(items: Items, { kind, key, link, nowMs }: NewLink): Promise<void> {
  const value: SideItem = { kind: 'links', links: [link] };
  const isRecord = kind === 'records';
  if (
    !isRecord &&
    (await items.write({ key: itemKey(kind, key), value, expectedVersion: 0 })) === 'written'
  ) {
    return;
  }
  await changeSideItem(items, itemKey(kind, key), (item) => {
    const links = item?.kind === 'links' ? item.links : [];
    const known = links.find(({ to }) => to === link.to);
    if (known && (known.untilMs ?? Infinity) >= (link.untilMs ?? Infinity)) return undefined;
    const alive = links.filter(({ to, untilMs = Infinity }) => to !== link.to && untilMs > nowMs);
    return { kind: 'links', links: [...alive, link] };
  });
}

function itemKey(kind: LinkKind, key: string): string {
  return `${kind}-of#${key}`;
}

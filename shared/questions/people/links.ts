import { keyInPortal, nameForBuyer } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import { identityOf, keysAtVendors } from '../question.ts';
import { type Link, MAX_LINKS, type SideItem } from '../schemas.ts';
import { changeSideItem, type LinkKind, type SideItemServices, sideItemKind } from '../stored-kinds.ts';
import { type IdentifierKeys, mergeKeys } from './suppression-list.ts';

/**
 * Indexes the question whose answer contains these people. The index keys are their addresses and profiles. If a person
 * has none, the other identifiers are used. The question's own key needs no index. An answer about one person needs one
 * or two writes.
 */
export async function linkPeople(
  services: SideItemServices & { readonly clock: Pick<Clock, 'now'> },
  { people, questionKey, untilMs }: LinkedPeople,
): Promise<void> {
  const keys = mergeKeys(
    ...people.map(({ sure, likely }) => ({ sure: sure.length > 0 ? sure : likely, likely: [] })),
  );
  const indexKeys = keys.sure.filter((key) => key !== identityOf(questionKey));
  const link = { to: questionKey, untilMs };
  const nowMs = services.clock.now();
  await Promise.all(indexKeys.map((key) => addLink(services, { kind: 'questions', key, link, nowMs })));
}

interface LinkedPeople {
  readonly people: readonly IdentifierKeys[];
  readonly questionKey: string;
  /** When the answer expires, epoch milliseconds. */
  readonly untilMs: number;
}

/**
 * Indexes a HubSpot record by its person's addresses and profiles, until the person's data are deleted. Call this
 * before the identifiers are stored in the record's state. A repeat costs a write and a read for each identifier.
 * @returns the other records with one of these identifiers.
 */
export async function rememberRecordIdentifiers(
  services: SideItemServices,
  recordKey: string,
  { sure }: IdentifierKeys,
): Promise<readonly string[]> {
  const { portal } = services.owners;
  const link = { to: nameForBuyer(portal, recordKey) };
  const known = await Promise.all(
    sure.map((key) => addLink(services, { kind: 'records', key, link, nowMs: 0 })),
  );
  return ownRecords(portal, new Set(known.flat())).filter((other) => other !== recordKey);
}

function ownRecords(portal: string, names: ReadonlySet<string>): readonly string[] {
  return [...names].flatMap((name) => keyInPortal(portal, name) ?? []);
}

/** Returns the questions that may have an answer about a person or company with this key, at any vendor. */
export async function questionsAbout(
  services: Pick<SideItemServices, 'sideItems' | 'owners'>,
  key: string,
): Promise<readonly string[]> {
  return [...new Set([...keysAtVendors(key), ...(await readLinks(services, 'questions', key))])];
}

/** Reads what an identifier leads to. Leaves out records of other portals. */
export async function readLinks(
  services: Pick<SideItemServices, 'sideItems' | 'owners'>,
  kind: LinkKind,
  key: string,
): Promise<readonly string[]> {
  const found = await readTargets(services, kind, key);
  return kind === 'records' ? ownRecords(services.owners.portal, found) : [...found];
}

async function readTargets(
  { sideItems }: Pick<SideItemServices, 'sideItems'>,
  kind: LinkKind,
  key: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let nth: number | undefined = 1; nth !== undefined; ) {
    const { links, more } = linksIn((await sideItems.read(itemOf({ kind, key, nth }).key))?.value);
    for (const { to } of links) found.add(to);
    nth = more && nth + 1;
  }
  return found;
}

/** Removes the links of a person to this portal's records. An emptied item still refers to its next item. */
export async function dropRecordLinks(services: SideItemServices, key: string): Promise<void> {
  for (let nth: number | undefined = 1; nth !== undefined; ) {
    let item = NO_LINKS;
    await changeSideItem(services, itemOf({ kind: 'records', key, nth }), (stored) => {
      item = linksIn(stored);
      const links = item.links.filter(({ to }) => keyInPortal(services.owners.portal, to) === undefined);
      return links.length < item.links.length ? { ...item, links } : undefined;
    });
    nth = item.more && nth + 1;
  }
}

interface NewLink {
  readonly kind: LinkKind;
  readonly key: string;
  readonly link: Link;
  readonly nowMs: number;
}

/**
 * Adds a link to the first item that has room. Most identifiers are new, so a write is tried before a read.
 * @returns the earlier targets of the identifier.
 */
export async function addLink(services: SideItemServices, added: NewLink): Promise<readonly string[]> {
  const { kind, key } = added;
  const found = new Set<string>();
  for (let nth = 1, isKept = false; !isKept; nth += 1) {
    const item = { ...itemOf({ kind, key, nth }), isMostlyNew: nth === 1 };
    let before = NO_LINKS;
    await changeSideItem(services, item, (stored) => {
      before = linksIn(stored);
      const addition = withLink(before, added);
      isKept = addition.isKept;
      return addition.value;
    });
    for (const { to } of before.links) found.add(to);
    if (isKept && before.more && kind === 'records')
      for (const to of await readTargets(services, kind, key)) found.add(to);
  }
  return [...found];
}

/**
 * Adds a link, if the item has room. If the item is full, it first notes that a further item exists, and until when.
 */
function withLink(
  item: Links,
  { link, nowMs }: Pick<NewLink, 'link' | 'nowMs'>,
): { readonly isKept: boolean; readonly value?: Links | undefined } {
  const { links, more } = item;
  const known = links.find(({ to }) => to === link.to);
  if (known && isCovered(known, link)) return { isKept: true };
  const alive = links.filter(({ to, untilMs = Infinity }) => to !== link.to && untilMs > nowMs);
  if (alive.length < MAX_LINKS) return { isKept: true, value: { ...item, links: [...alive, link] } };
  const { untilMs } = link;
  return { isKept: false, value: more && isCovered(more, link) ? undefined : { ...item, more: { untilMs } } };
}

function isCovered(known: Pick<Link, 'untilMs'>, { untilMs = Infinity }: Pick<Link, 'untilMs'>): boolean {
  return (known.untilMs ?? Infinity) >= untilMs;
}

type Links = Extract<SideItem, { readonly kind: 'links' }>;
const NO_LINKS: Links = { kind: 'links', links: [] };

function linksIn(item: SideItem | undefined): Links {
  return item?.kind === 'links' ? item : NO_LINKS;
}

interface Place {
  readonly kind: LinkKind;
  readonly key: string;
  /** Counted from 1. */
  readonly nth: number;
}

function itemOf({ kind, key: of, nth }: Place) {
  return { key: sideItemKind.key({ links: kind, of, nth }), kind: `list of ${kind} of a person` };
}

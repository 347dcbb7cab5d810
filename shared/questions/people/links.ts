import type { Clock } from '#shared/kernel/clock.ts';
import type { Link } from '../schemas.ts';
import { type IdentifierKeys, mergeKeys } from './identifiers.ts';
import { changeSideItem, type SideItemServices } from './side-items.ts';

/** What an identifier leads to: questions whose answers tell of the person, and records of HubSpot. */
export type LinkKind = 'questions' | 'records';

/**
 * Notes that an answer to the question is about these people, before the answer is stored. By what belongs to one
 * person alone, and only where there is nothing of that by the rest; never by the question's own key, which
 * leads there by itself. For an answer about one person that is one write at most, or two.
 */
export async function linkPeople(
  services: SideItemServices & { readonly clock: Pick<Clock, 'now'> },
  { people, questionKey, untilMs }: LinkedPeople,
): Promise<void> {
  const keys = mergeKeys(
    ...people.map(({ sure, likely }) => ({ sure: sure.length > 0 ? sure : likely, likely: [] })),
  );
  const foreign = keys.sure.filter((key) => key !== questionKey);
  const link = { to: questionKey, untilMs };
  const nowMs = services.clock.now();
  await Promise.all(foreign.map((key) => addLink(services, { kind: 'questions', key, link, nowMs })));
}

interface LinkedPeople {
  readonly people: readonly IdentifierKeys[];
  readonly questionKey: string;
  /** When the answer is gone by itself, epoch milliseconds. */
  readonly untilMs: number;
}

/**
 * Lets a record of HubSpot be found by its person's address or profile, for as long as it is not forgotten.
 * Call it before the identifiers are kept in the record's state; repeating it costs a read an identifier.
 * @returns the other records that one of them leads to.
 */
export async function rememberRecordIdentifiers(
  services: SideItemServices,
  recordKey: string,
  { sure }: IdentifierKeys,
): Promise<readonly string[]> {
  const link = { to: recordKey };
  const known = await Promise.all(
    sure.map((key) => addLink(services, { kind: 'records', key, link, nowMs: 0 })),
  );
  return [...new Set(known.flat())].filter((to) => to !== recordKey);
}

export async function readLinks(
  { sideItems }: Pick<SideItemServices, 'sideItems'>,
  kind: LinkKind,
  key: string,
): Promise<readonly string[]> {
  const stored = await sideItems.read(itemKey(kind, key));
  return stored?.value.kind === 'links' ? stored.value.links.map(({ to }) => to) : [];
}

/** Takes back that a record belongs to somebody. */
export async function dropRecordLinks(services: SideItemServices, key: string): Promise<void> {
  await changeSideItem(services, linksOf('records', key), (item) =>
    item?.kind === 'links' && item.links.length > 0 ? { kind: 'links', links: [] } : undefined,
  );
}

interface NewLink {
  readonly kind: LinkKind;
  readonly key: string;
  readonly link: Link;
  readonly nowMs: number;
}

/**
 * Mostly an identifier is new for an answer, so the write is tried before anything is read.
 * @returns where it has led to so far.
 */
async function addLink(
  services: SideItemServices,
  { kind, key, link, nowMs }: NewLink,
): Promise<readonly string[]> {
  const item = { ...linksOf(kind, key), isMostlyNew: kind === 'questions' };
  let found: readonly Link[] = [];
  await changeSideItem(services, item, (item) => {
    const links = item?.kind === 'links' ? item.links : [];
    found = links;
    const known = links.find(({ to }) => to === link.to);
    if (known && (known.untilMs ?? Infinity) >= (link.untilMs ?? Infinity)) return undefined;
    const alive = links.filter(({ to, untilMs = Infinity }) => to !== link.to && untilMs > nowMs);
    return { kind: 'links', links: [...alive, link] };
  });
  return found.map(({ to }) => to);
}

function linksOf(kind: LinkKind, key: string) {
  return { key: itemKey(kind, key), kind: `list of ${kind} of a person` };
}

function itemKey(kind: LinkKind, key: string): string {
  return `${kind}-of#${key}`;
}

import { DAY_MS } from '#shared/kernel';
import { changeSideItem, type SideItemServices } from '../people/side-items.ts';
import type { SearchFacts } from '../schemas.ts';
import { sideItemKind } from '../stored-kinds.ts';

/**
 * Facts about the vendor's company search that its document leaves open: how many domains a search may name, and whether
 * its results belong to them. It starts with a few domains, doubles after success and halves after a refusal. If results
 * belong to no requested company, or are more than requested, searches pause for a while.
 */
const FIRST_SIZE = 5;
/** Specification, "Paging limits": a page has 100 results, and a second one may repeat the first. */
const LARGEST_SIZE = 100;
/** So many paid results may be of no use before anything is concluded, and then one in ten. */
const MAX_UNUSABLE = 5;
const USABLE_PER_UNUSABLE = 10;
/** Each keeps its companies waiting for a day, and counts as charged. */
const MOST_LOST = 2;
const LOST_STOPPED_MS = 7 * DAY_MS;
const STOPPED_MS = 30 * DAY_MS;

const BEGUN: SearchFacts = { kind: 'company search', size: FIRST_SIZE, results: 0, unusable: 0 };

const KEY = sideItemKind.key('company search');

export type SearchObservation =
  /** Results that came, and those that belonged to no requested company. */
  | { readonly kind: 'answered'; readonly asked: number; readonly results: number; readonly unusable: number }
  /** The vendor refuses a search for so many domains. */
  | { readonly kind: 'refused'; readonly asked: number }
  /** Unknown result. */
  | { readonly kind: 'lost' };

export function learnSearch(facts: SearchFacts, lesson: SearchObservation, nowMs: number): SearchFacts {
  if (lesson.kind === 'lost') {
    const lost = (facts.lost ?? 0) + 1;
    return { ...facts, lost, ...(lost >= MOST_LOST && { stoppedUntilMs: nowMs + LOST_STOPPED_MS }) };
  }
  const { asked } = lesson;
  if (lesson.kind === 'refused') {
    const tooMany = Math.min(facts.tooMany ?? asked, asked);
    const size = Math.min(facts.size, Math.floor(asked / 2));
    return { ...facts, tooMany, size, ...(size < 2 && { stoppedUntilMs: nowMs + STOPPED_MS }) };
  }
  const results = facts.results + lesson.results;
  const unusable = facts.unusable + lesson.unusable;
  const most = Math.min(LARGEST_SIZE, Math.floor((facts.tooMany ?? Number.POSITIVE_INFINITY) / 2));
  const isWell = !isWasteful(lesson);
  const size = isWell ? Math.max(facts.size, Math.min(most, 2 * asked)) : facts.size;
  const isOverrun = lesson.results > asked;
  const stopped = isOverrun || (unusable >= MAX_UNUSABLE && isWasteful({ results, unusable }));
  const learned = { ...facts, size, results, unusable, lost: 0 };
  return { ...learned, ...(stopped && { stoppedUntilMs: nowMs + STOPPED_MS }) };
}

function isWasteful({ results, unusable }: { readonly results: number; readonly unusable: number }): boolean {
  return unusable * USABLE_PER_UNUSABLE > results;
}

/** As they count now: after a stop the count starts again. */
export function factsNow(facts: SearchFacts | undefined, nowMs: number): SearchFacts {
  if (!facts || (facts.stoppedUntilMs !== undefined && nowMs >= facts.stoppedUntilMs)) return BEGUN;
  return facts;
}

export function isStopped({ stoppedUntilMs }: SearchFacts): boolean {
  return stoppedUntilMs !== undefined;
}

type Services = SideItemServices & { readonly clock: { now(): number } };

export async function readSearchFacts({ sideItems, clock }: Services): Promise<SearchFacts> {
  const stored = await sideItems.read(KEY);
  return factsNow(stored?.value.kind === 'company search' ? stored.value : undefined, clock.now());
}

export function keepLesson(services: Services, lesson: SearchObservation): Promise<void> {
  const item = { key: KEY, kind: 'facts of the company search' };
  const nowMs = services.clock.now();
  return changeSideItem(services, item, (known) =>
    learnSearch(factsNow(known?.kind === 'company search' ? known : undefined, nowMs), lesson, nowMs),
  );
}

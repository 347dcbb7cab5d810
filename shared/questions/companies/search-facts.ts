import { DAY_MS } from '#shared/kernel';
import { changeSideItem, type SideItemServices } from '../people/side-items.ts';
import type { SearchFacts } from '../schemas.ts';
import { sideItemKind } from '../stored-kinds.ts';

/**
 * Learns facts about the vendor's company search that its document leaves open: the largest number of domains, and
 * whether the results belong to these domains. The first batch has a few domains. The number doubles after a success
 * and halves after a refusal. If too many results belong to no requested company, or a page has more results than
 * requested, searches pause for 30 days.
 */
const FIRST_SIZE = 5;
/** Specification, "Paging limits": a page has 100 results, and a second one may repeat the first. */
const LARGEST_SIZE = 100;
/** Searches stop after this many unusable results, if more than one result in ten is unusable. */
const MAX_UNUSABLE = 5;
const USABLE_PER_UNUSABLE = 10;
/**
 * Searches stop after this many lost batches. A lost batch makes its companies wait for a day and counts as charged.
 */
const MAX_LOST = 2;
const LOST_STOPPED_MS = 7 * DAY_MS;
const STOPPED_MS = 30 * DAY_MS;

const FIRST_FACTS: SearchFacts = { kind: 'company search', size: FIRST_SIZE, results: 0, unusable: 0 };

const KEY = sideItemKind.key('company search');

export type SearchObservation =
  /** `results` counts all results, `unusable` those of no requested company. */
  | { readonly kind: 'answered'; readonly asked: number; readonly results: number; readonly unusable: number }
  /** The vendor refuses a search for this many domains. */
  | { readonly kind: 'refused'; readonly asked: number }
  /** The result of the batch is unknown. */
  | { readonly kind: 'lost' };

export function learnSearch(facts: SearchFacts, observation: SearchObservation, nowMs: number): SearchFacts {
  if (observation.kind === 'lost') {
    const lost = (facts.lost ?? 0) + 1;
    return { ...facts, lost, ...(lost >= MAX_LOST && { stoppedUntilMs: nowMs + LOST_STOPPED_MS }) };
  }
  const { asked } = observation;
  if (observation.kind === 'refused') {
    const tooMany = Math.min(facts.tooMany ?? asked, asked);
    const size = Math.min(facts.size, Math.floor(asked / 2));
    return { ...facts, tooMany, size, ...(size < 2 && { stoppedUntilMs: nowMs + STOPPED_MS }) };
  }
  const results = facts.results + observation.results;
  const unusable = facts.unusable + observation.unusable;
  const maxSize = Math.min(LARGEST_SIZE, Math.floor((facts.tooMany ?? Number.POSITIVE_INFINITY) / 2));
  const isUsable = !isWasteful(observation);
  const size = isUsable ? Math.max(facts.size, Math.min(maxSize, 2 * asked)) : facts.size;
  const isOverrun = observation.results > asked;
  const mustStop = isOverrun || (unusable >= MAX_UNUSABLE && isWasteful({ results, unusable }));
  const learned = { ...facts, size, results, unusable, lost: 0 };
  return { ...learned, ...(mustStop && { stoppedUntilMs: nowMs + STOPPED_MS }) };
}

function isWasteful({ results, unusable }: { readonly results: number; readonly unusable: number }): boolean {
  return unusable * USABLE_PER_UNUSABLE > results;
}

/** Returns the facts in force. After a pause, learning starts again. */
export function factsNow(facts: SearchFacts | undefined, nowMs: number): SearchFacts {
  if (!facts || (facts.stoppedUntilMs !== undefined && nowMs >= facts.stoppedUntilMs)) return FIRST_FACTS;
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

export function recordObservation(services: Services, observation: SearchObservation): Promise<void> {
  const item = { key: KEY, kind: 'facts of the company search' };
  const nowMs = services.clock.now();
  return changeSideItem(services, item, (known) =>
    learnSearch(factsNow(known?.kind === 'company search' ? known : undefined, nowMs), observation, nowMs),
  );
}

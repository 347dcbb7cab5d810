import type { Policy } from '#shared/field-policy/policy.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import { asksOf, type Window } from './asking.ts';
import { createWriteComparison, type WriteComparison } from './comparison.ts';
import { effectOf, planStored } from './effects.ts';
import { type CreditComparison, createForecast } from './forecast.ts';
import { type Group, wantedGroups } from './groups.ts';
import { readGroup } from './read-group.ts';
import { type Found, type NoAnswer, storedAnswer } from './stored-answer.ts';

export interface PolicyComparison {
  readonly writes: WriteComparison;
  readonly credits: CreditComparison;
}

interface Comparing {
  readonly before: Policy;
  readonly after: Policy;
  /** How many days are looked back at. */
  readonly days: number;
  /** Told as it goes: records that were gone through. */
  readonly onProgress?: (seen: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Groups that are worked on side by side: one waits for HubSpot while the other is decided. More would crowd out other apps. */
const AT_ONCE = 2;

/**
 * What another policy would do, by stored answers, present values and the last days' runs. Nobody is asked and nothing
 * is written; memory does not grow with the records.
 */
export async function comparePolicies(
  services: EnrichmentServices,
  { before, after, days, onProgress, signal }: Comparing,
): Promise<PolicyComparison> {
  const nowMs = services.clock.now();
  const window: Window = { fromMs: nowMs - days * DAY_MS, nowMs };
  const writes = createWriteComparison();
  const forecast = createForecast({ before, after }, window);
  const open = new Set<Promise<void>>();
  for await (const group of wantedGroups(services, (state) => isTelling(state, window))) {
    signal?.throwIfAborted();
    if (open.size >= AT_ONCE) await Promise.race(open);
    const work = compareGroup(services, group, { before, after, window, writes, forecast });
    open.add(work);
    // Its failure is met where all are awaited.
    work.then(
      () => open.delete(work),
      () => undefined,
    );
    onProgress?.(group.seen);
  }
  await Promise.all(open);
  return { writes: writes.result(), credits: forecast.result() };
}

/** It has an answer, or was looked at lately. */
function isTelling(state: RecordState, { fromMs }: Window): boolean {
  if (state.forgottenAtMs !== undefined || state.mergedInto !== undefined) return false;
  return state.answeredQuestion !== undefined || (state.outcome?.atMs ?? 0) >= fromMs;
}

interface Sums extends Pick<Comparing, 'before' | 'after'> {
  readonly window: Window;
  readonly writes: ReturnType<typeof createWriteComparison>;
  readonly forecast: ReturnType<typeof createForecast>;
}

async function compareGroup(services: EnrichmentServices, group: Group, sums: Sums): Promise<void> {
  const { before, after, window, writes, forecast } = sums;
  const { objectType } = group;
  const read = await readGroup(services, group, { policies: [before, after] });
  for (const reason of read.left) writes.leave(reason);
  const known = await Promise.all(
    read.found.map(async (each) => ({
      ...each,
      answer: await storedAnswer({ ...services, policy: before }, each),
    })),
  );
  for (const { answer, ...each } of known) {
    const asking = { ...each, window, storedOptions: optionsOf(answer) };
    forecast.add({ before: asksOf(before, asking), after: asksOf(after, asking) });
  }
  const answers: Found[] = [];
  for (const { answer } of known)
    if (typeof answer === 'string') writes.leave(answer);
    else answers.push(answer);
  const planning = { objectType, answers, read };
  const planned = {
    before: await planStored(services, before, planning),
    after: await planStored(services, after, planning),
  };
  for (const [index, { held }] of answers.entries()) {
    const [before, after] = [planned.before[index], planned.after[index]];
    if (!before || !after) continue;
    const effects = { before: effectOf(services, before), after: effectOf(services, after) };
    writes.add({ name: nameOf(held), ...effects });
  }
}

function nameOf({ objectType, id }: HeldRecord) {
  return { objectType, id };
}

function optionsOf(answer: Found | NoAnswer) {
  return typeof answer === 'string' ? undefined : answer.options;
}

import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Course, SeenBackfill } from './course.ts';
import type { Backfilled, Undone } from './oracle/evidence.ts';
import type { Act } from './plan.ts';

interface Printed {
  readonly id: string;
  readonly objectType: string;
  readonly state: string;
  readonly quote?: { readonly atMost: number };
  readonly strata?: readonly { readonly maxCredits: number }[];
  readonly inFlight?: { readonly maxCredits: number };
}

const IS_OVER: ReadonlySet<string> = new Set(['done', 'stopped']);

const ACTS: Partial<
  Record<Act['kind'], (course: Course, objectType: ObjectType, questions: number) => Promise<void>>
> = {
  backfill: beginBackfill,
  pause: (course, objectType, questions) => haltBackfill(course, objectType, { name: 'pause', questions }),
  stop: (course, objectType, questions) => haltBackfill(course, objectType, { name: 'stop', questions }),
  resume: resumeBackfill,
  'undo-backfill': undoBackfill,
};

/** @returns whether the act concerns a backfill. */
export async function performOnBackfill(course: Course, { kind, property, record }: Act): Promise<boolean> {
  const perform = ACTS[kind];
  await perform?.(course, OBJECT_TYPES[property % OBJECT_TYPES.length] ?? 'contacts', record);
  return perform !== undefined;
}

/** Quotes and starts a backfill, unless one is running. Continues a quote that was cut off. */
async function beginBackfill(course: Course, objectType: ObjectType): Promise<void> {
  const { backfills, world } = course;
  const before = newestOf(course, objectType);
  if (before && !IS_OVER.has((await statusOf(course, before.id))?.state ?? '')) return;
  let quote = await typed(course, 'quote', '--objects', objectType);
  for (let left = 5; !quote && left > 0; left -= 1) quote = await quoteAfterCut(course, objectType);
  if (quote?.state !== 'quoted') return;
  const dearest = Math.max(0, ...(quote.strata ?? []).map(({ maxCredits }) => maxCredits));
  const { id } = quote;
  const atMs = world.clock.now();
  backfills.push({ id, objectType, atMs, worst: quote.quote?.atMost ?? 0, dearest, halts: [] });
  await insist(course, 'run', id, '--yes');
}

/** Continues an incomplete quote, or makes one if none was started. */
async function quoteAfterCut(course: Course, objectType: ObjectType): Promise<Printed | undefined> {
  const { backfills: all = [] } = (await typed<{ backfills: Printed[] }>(course, 'list')) ?? {};
  const begun = all.find((each) => each.objectType === objectType && each.state.startsWith('quot'));
  if (begun?.state === 'quoted') return statusOf(course, begun.id);
  return typed(course, 'quote', ...(begun ? ['--resume', begun.id] : ['--objects', objectType]));
}

/** If the command was cut off, the person types it again. The second command reports that it is already done. */
async function haltBackfill(
  course: Course,
  objectType: ObjectType,
  { name, questions }: { readonly name: 'pause' | 'stop'; readonly questions: number },
): Promise<void> {
  await untilAsked(course, questions);
  const backfill = newestOf(course, objectType);
  if (!backfill) return;
  const printed = await insist(course, name, backfill.id, ...(name === 'stop' ? ['--yes'] : []));
  const { state } = printed ?? (await statusOf(course, backfill.id)) ?? {};
  const isHalted = state === 'stopped' || state === 'paused';
  if (!isHalted || backfill.halts.some(({ untilMs }) => untilMs === undefined)) return;
  backfill.halts.push({ atMs: course.world.clock.now(), maxCredits: printed?.inFlight?.maxCredits });
}

const PATIENCE_MS = 12 * MINUTE_MS;

/** Waits for this many more questions, with a time limit. */
async function untilAsked({ world }: Course, questions: number): Promise<void> {
  const { clock, wire } = world;
  const wanted = wire.questions().length + questions;
  const untilMs = clock.now() + PATIENCE_MS;
  while (wire.questions().length < wanted && clock.now() < untilMs) await clock.sleep(SECOND_MS / 4);
}

async function resumeBackfill(course: Course, objectType: ObjectType): Promise<void> {
  const backfill = newestOf(course, objectType);
  const atMs = course.world.clock.now();
  if (!backfill) return;
  await insist(course, 'resume', backfill.id);
  if ((await statusOf(course, backfill.id))?.state === 'stopped') return;
  const halt = backfill.halts.at(-1);
  if (halt) halt.untilMs ??= atMs;
}

/** Stops a running backfill first, and then undoes it. */
async function undoBackfill(course: Course, objectType: ObjectType): Promise<void> {
  const backfill = newestOf(course, objectType);
  if (!backfill) return;
  const undo = () => course.run('undo', '--backfill', backfill.id, '--yes', '--json');
  noteUndone(course, (await undo()) ?? (await undo()));
  if ((await statusOf(course, backfill.id))?.state !== 'stopped') return;
  if (backfill.halts.every(({ untilMs }) => untilMs !== undefined))
    backfill.halts.push({ atMs: course.world.clock.now() });
}

interface UndoPrinted {
  readonly records?: readonly {
    readonly record: string;
    readonly restored: readonly Pick<Undone, 'property' | 'to'>[];
  }[];
}

export function noteUndone({ undone, world }: Course, printed: string | undefined): void {
  const { records = [] }: UndoPrinted = JSON.parse(printed ?? '{}');
  const atMs = world.clock.now();
  for (const { record, restored } of records) {
    const id = record.split('/')[1] ?? '';
    undone.push(...restored.map(({ property, to }) => ({ id, atMs, property, to })));
  }
}

/** Finishes all backfills that were not stopped. @returns whether there was something to do. */
export async function settleBackfills(course: Course): Promise<boolean> {
  let isMoved = false;
  for (const { id, objectType } of course.backfills) {
    const { state } = (await statusOf(course, id)) ?? {};
    if (state === 'paused') await resumeBackfill(course, objectType);
    if (state === 'approval') await typed(course, 'run', id, '--yes');
    isMoved ||= state === 'paused' || state === 'approval';
  }
  return isMoved;
}

export async function seenBackfills(course: Course): Promise<Backfilled[]> {
  const seen: Backfilled[] = [];
  for (const each of course.backfills)
    seen.push({ ...each, status: JSON.stringify((await statusOf(course, each.id)) ?? {}) });
  return seen;
}

function newestOf({ backfills }: Course, objectType: ObjectType): SeenBackfill | undefined {
  return backfills.findLast((each) => each.objectType === objectType);
}

function statusOf(course: Course, id: string): Promise<Printed | undefined> {
  return insist(course, 'status', id);
}

/** Types a command again if it printed nothing. */
async function insist(course: Course, ...words: readonly string[]): Promise<Printed | undefined> {
  return (await typed<Printed>(course, ...words)) ?? typed<Printed>(course, ...words);
}

async function typed<T = Printed>({ run }: Course, ...words: readonly string[]): Promise<T | undefined> {
  const printed = await run('backfill', ...words, '--json');
  return printed === undefined || printed === '' ? undefined : JSON.parse(printed);
}

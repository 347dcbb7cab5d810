import type { HubSpotFailure } from '#shared/crm';
import {
  type CrmAttempt,
  type CrmReading,
  type CrmWriteResult,
  type ObjectType,
  type PropertyDefinitions,
  WRITES_AT_ONCE,
} from '#shared/crm';
import { EMPLOYER_PROPERTIES, JOB_CHANGE_PROPERTIES, propertiesOfRules } from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { inChunks, SECOND_MS } from '#shared/kernel';
import { readWithCompanies } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { emptiedMeanwhile, ownByHistory } from './by-history.ts';
import { type Draft, STATUS_PROPERTIES, withoutRefused } from './draft.ts';
import { journalPlans, journalResults } from './journal-writes.ts';
import { type Present, planWrites, type WritePlan } from './plan-writes.ts';
import { recoverWrites, WRITE_LIFETIME_MS } from './recover.ts';

/** What became of one draft. */
export type Written =
  | {
      readonly kind: 'done';
      readonly plan: WritePlan;
      readonly result: CrmWriteResult | undefined;
      /** Until then an earlier attempt may still arrive, and has to be looked for once more. Epoch milliseconds. */
      readonly openUntilMs?: number | undefined;
    }
  /** HubSpot as a whole failed, and patience or time ended. */
  | {
      readonly kind: 'stopped';
      readonly draft: Draft;
      readonly error: HubSpotFailure;
      readonly openUntilMs?: number | undefined;
    }
  /** The journal's own failure: what is written without it could never be undone. */
  | { readonly kind: 'unjournalled'; readonly draft: Draft; readonly error: unknown };

interface Writing {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
  /** No wait goes on after this, epoch milliseconds. */
  readonly untilMs: number;
}

/** Attempts that HubSpot as a whole failed, all groups together: an outage is not worked against. */
const MAX_FAILURES = 4;
/** A worker that stood still for longer than this after it had read looks once more: somebody may have written meanwhile. */
const STALLED_MS = 5 * SECOND_MS;
/** A journal that takes so long each time would keep it looking for ever. */
const MAX_STALLS = 3;
/** HubSpot advises "a few seconds" after its 5xx; doubles with each failure. */
const BACKOFF_MS = 2 * SECOND_MS;

/**
 * Writes in groups, and repeats what has to be repeated. HubSpot knows no condition on a write, so each attempt, the
 * first like every other, is preceded by a reading of what it is about to write, and the policy is applied to that. An
 * attempt whose end nobody told is looked up in HubSpot's history before the next one.
 */
export async function guardedWrites(
  services: EnrichmentServices,
  writing: Writing,
  drafts: readonly Draft[],
): Promise<readonly Written[]> {
  const open = [...inChunks(drafts, WRITES_AT_ONCE)];
  const progress: Progress = { done: [], open, failures: 0, stalls: 0, openUntilMs: new Map() };
  for (let group = progress.open.shift(); group; group = progress.open.shift())
    await attemptGroup({ services, writing, progress }, group);
  return progress.done;
}

interface Progress {
  readonly done: Written[];
  /** What is still to be written, in the order in which it is tried. */
  readonly open: (readonly Draft[])[];
  failures: number;
  stalls: number;
  /** By record id: an attempt of this worker whose end nobody told, and until when it may arrive. */
  readonly openUntilMs: Map<string, number>;
}

interface Guard {
  readonly services: EnrichmentServices;
  readonly writing: Writing;
  readonly progress: Progress;
}

async function attemptGroup(guard: Guard, drafts: readonly Draft[]): Promise<void> {
  const { services, progress, writing } = guard;
  const { present, known, lookedAt } = await look(guard, drafts);
  const planned = known.map((draft) => planWrites(services, draft, present));
  const differing = planned.filter(({ writes }) => Object.keys(writes).length > 0);
  const { allowed, failures } = await journalPlans(services, differing, progress.openUntilMs);
  for (const [{ draft }, { error }] of failures) unjournalled(progress, draft, error);
  const silent = planned.filter((plan) => !allowed.includes(plan) && !failures.has(plan));
  for (const plan of silent) done(progress, plan, undefined);
  if (allowed.length === 0) return;
  if (services.clock.monotonic() - lookedAt > STALLED_MS && progress.stalls < MAX_STALLS) {
    progress.stalls += 1;
    progress.open.unshift(allowed.map(({ draft }) => draft));
    return;
  }
  const sentAtMs = services.clock.now();
  const writes = allowed.map(({ draft, writes }) => ({ id: draft.held.id, properties: writes }));
  const attempt = await services.crm.write({ objectType: writing.objectType, writes });
  noteUnproved(progress, { attempt, allowed, untilMs: sentAtMs + WRITE_LIFETIME_MS });
  if (attempt.kind === 'answered') await sortAnswers(guard, allowed, attempt);
  else await waitAndRepeat(guard, allowed, attempt.error);
}

/** What is there now, and what became of earlier attempts; read anew where history was asked in between. */
async function look({ services, writing, progress }: Guard, drafts: readonly Draft[]) {
  const { objectType, definitions } = writing;
  const begun = drafts.filter(({ held }) => progress.openUntilMs.has(held.id) || wasCutOff(held));
  const { recovered, failures } =
    begun.length > 0
      ? await recoverWrites(services, { objectType, drafts: begun, definitions })
      : NOTHING_BEGUN;
  for (const [draft, { error }] of failures) unjournalled(progress, draft, error);
  for (const [id, { openUntilMs = 0 }] of recovered) {
    if (openUntilMs > services.clock.now()) noteOpen(progress, id, openUntilMs);
  }
  const open = drafts.filter((draft) => !failures.has(draft));
  const reading = { objectType, drafts: open, recovered };
  let lookedAt = services.clock.monotonic();
  const now = await readNow(services, reading);
  const own = await ownByHistory(services, { ...reading, now, definitions });
  const known = await emptiedMeanwhile(services, open, now);
  if (!own && known === open) return { known, lookedAt, present: { now, definitions, recovered } };
  lookedAt = services.clock.monotonic();
  const again = await readNow(services, reading);
  const present: Present = { now: again, definitions, recovered: own ?? recovered };
  return { known, lookedAt, present };
}

/** A run that had an answer before it was claimed this time, or lost its worker, may have come as far as writing. */
function wasCutOff({ state: { run } }: Draft['held']): boolean {
  return run?.answeredQuestion !== undefined || run?.lapses !== undefined;
}

const NOTHING_BEGUN: Awaited<ReturnType<typeof recoverWrites>> = {
  recovered: new Map(),
  failures: new Map(),
};

interface Reading extends Pick<Writing, 'objectType'>, Pick<Present, 'recovered'> {
  readonly drafts: readonly Draft[];
}

async function readNow(
  { crm, policy }: EnrichmentServices,
  { objectType, drafts, recovered }: Reading,
): Promise<CrmReading> {
  const rules = propertiesOfRules(policy, objectType);
  const properties = new Set<string>([
    ...STATUS_PROPERTIES,
    ...(objectType === 'contacts' ? [...EMPLOYER_PROPERTIES, ...JOB_CHANGE_PROPERTIES] : []),
    ...IDENTIFYING_PROPERTIES[objectType],
    ...rules.own,
  ]);
  for (const { proposals } of drafts) for (const { property } of proposals) properties.add(property);
  // What is to be given back may be proposed no more.
  for (const { taken } of recovered.values()) for (const name of Object.keys(taken)) properties.add(name);
  const seen = drafts.map(({ held }) => held.record);
  const ids = drafts.map(({ held }) => held.id);
  const query = { objectType, ids, properties: [...properties], companyProperties: rules.company };
  return readWithCompanies(crm, query, seen);
}

type Answers = Extract<CrmAttempt, { kind: 'answered' }>;

/**
 * HubSpot refuses a record whole for one value that it does not like, such as an email that another contact has: such
 * a record is tried once more without it. A batch that was refused for the sake of one is halved down to that one.
 */
async function sortAnswers(guard: Guard, allowed: readonly WritePlan[], answers: Answers): Promise<void> {
  const { services, progress } = guard;
  const byId = new Map(answers.results.map((result) => [result.id, result]));
  const told = allowed.flatMap((plan) => {
    const result = byId.get(plan.draft.held.id);
    return result ? [{ plan, result }] : [];
  });
  const unconfirmed = await journalResults(services, told);
  const again: Draft[] = [];
  for (const each of told) {
    const { plan, result } = each;
    const failure = unconfirmed.get(each);
    const lesser = result.kind === 'refused' ? withoutRefused(plan, result) : undefined;
    if (failure) unjournalled(progress, plan.draft, failure.error);
    else if (lesser) again.push(lesser);
    else done(progress, plan, result);
  }
  const rest = allowed.filter(({ draft }) => !byId.has(draft.held.id)).map(({ draft }) => draft);
  const groups = rest.length === allowed.length ? inChunks(rest, Math.ceil(rest.length / 2)) : [rest];
  progress.open.unshift(...[again, ...groups].filter((group) => group.length > 0));
}

/** Nothing goes on behind a failure of HubSpot as a whole: after too many of them the rest is left as it is. */
async function waitAndRepeat(
  { services, writing, progress }: Guard,
  allowed: readonly WritePlan[],
  error: HubSpotFailure,
): Promise<void> {
  const drafts = allowed.map(({ draft }) => draft);
  const waitMs = error.retryAfterMs ?? BACKOFF_MS * 2 ** progress.failures;
  progress.failures += 1;
  const isHopeless = !error.retryable || progress.failures >= MAX_FAILURES;
  if (!isHopeless && services.clock.now() + waitMs < writing.untilMs) {
    await services.clock.sleep(waitMs);
    progress.open.unshift(drafts);
    return;
  }
  for (const draft of [...drafts, ...progress.open.splice(0).flat()]) {
    const openUntilMs = progress.openUntilMs.get(draft.held.id);
    progress.done.push({ kind: 'stopped', draft, error, openUntilMs });
  }
}

interface Attempted {
  readonly attempt: CrmAttempt;
  readonly allowed: readonly WritePlan[];
  readonly untilMs: number;
}

/** Statuses alone are nobody's but ours: whenever they arrive, nothing is lost. */
function noteUnproved(progress: Progress, { attempt, allowed, untilMs }: Attempted): void {
  const untold = attempt.kind === 'answered' ? new Set(attempt.untold) : undefined;
  if (!untold && !(attempt.kind === 'failed' && attempt.mayHaveArrived)) return;
  for (const { draft, filled, back } of allowed) {
    const { id } = draft.held;
    const carries = filled.length > 0 || Object.keys(back).length > 0;
    if (carries && (untold?.has(id) ?? true)) noteOpen(progress, id, untilMs);
  }
}

function noteOpen({ openUntilMs }: Progress, id: string, untilMs: number): void {
  openUntilMs.set(id, Math.max(untilMs, openUntilMs.get(id) ?? 0));
}

function done(progress: Progress, plan: WritePlan, result: CrmWriteResult | undefined): void {
  const openUntilMs = progress.openUntilMs.get(plan.draft.held.id);
  progress.done.push({ kind: 'done', plan, result, openUntilMs });
}

function unjournalled({ done }: Progress, draft: Draft, error: unknown): void {
  done.push({ kind: 'unjournalled', draft, error });
}

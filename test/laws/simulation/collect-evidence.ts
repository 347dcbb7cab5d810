import { questionItemSchema } from '#inside/questions/schemas.ts';
import { unpackAnswer } from '#inside/questions/stored-answers.ts';
import { questionKind } from '#shared/questions';
import { isPortalState, type PortalState } from '../../../infra/sandbox/hubspot/state.ts';
import { DATA_SERVICE_URL } from '../../harness/addresses.ts';
import { cardOf } from '../../harness/at-the-screen.ts';
import { APP_ID } from '../../harness/hubspot-portal.ts';
import type { World } from '../../harness/world.ts';
import { seenBackfills } from './backfills.ts';
import type { Course } from './course.ts';
import type { Evidence, Told } from './oracle/evidence.ts';
import { QUIET, type Trouble } from './plan.ts';

/** Collects the evidence from both vendors and the operator's commands. */
export async function collectEvidence(course: Course): Promise<Evidence> {
  const { plan, world, erased, undone, rejected, resolved, prices } = course;
  const troubles = [...plan.rounds, plan.refresh];
  const { perDay, purpose, timeZone, freshDays, rateAlgorithm, rateLimitPerMinute, portalLatencyMs } = plan;
  return {
    agreed: {
      perDay,
      purpose,
      hasLateWrites: plan.rounds.some(({ lateMs }) => lateMs > 0),
      timeZone,
      freshDays,
      rateAlgorithm,
      rateLimitPerMinute,
      portalLatencyMs,
      appId: APP_ID,
      wantPhone: plan.wantPhone,
      isShadowed: plan.isShadowed ?? false,
      barredStage: plan.barredStage,
      isUndisturbed: troubles.every(isUndisturbed),
      areAllHeard: troubles.every(isEachHeard),
      isUnstruck: troubles.every(isUnstruck),
      isStraight: troubles.every(isStraight),
    },
    bill: {
      creditsCharged: world.charged(),
      requests: (await verb<{ requests: Evidence['bill']['requests'] }>(world, 'requests')).requests,
    },
    ...world.dataService.world,
    hubSpot: portalState(world),
    erased,
    undone,
    rejected,
    quiet: course.quiet,
    closed: course.closed,
    refusals: course.line.refusals,
    refusedForGood: course.refusedForGood,
    stored: await storedAnswers(world),
    resolved,
    prices,
    accepted: course.accepted,
    backfills: await seenBackfills(course),
    askedForAllAtMs: course.askedForAllAtMs,
    endedAtMs: world.clock.now(),
    told: await askConsole(course),
    logs: JSON.stringify(world.logs),
  };
}

/** Retries of a store that fails a few times. */
const FEW_FAULTS = 6;

function isEachHeard(trouble: Trouble): boolean {
  const isAsleep = trouble.strikes.every(({ kind }) => kind === 'sleep');
  const times = trouble.storeFaults.reduce((sum, fault) => sum + fault.times, 0);
  return isAsleep && times <= FEW_FAULTS && isUndisturbed({ ...trouble, strikes: [], storeFaults: [] });
}

function isUnstruck({ strikes, sweepStrike }: Trouble): boolean {
  return strikes.length === 0 && !sweepStrike;
}

function isStraight(trouble: Trouble): boolean {
  const { skewsMs, storeFaults, lostAnswers, lineMs } = trouble;
  const isSkewed = skewsMs.some((ms) => ms !== 0);
  return isUnstruck(trouble) && !isSkewed && storeFaults.length === 0 && lostAnswers + lineMs === 0;
}

function isUndisturbed(trouble: Trouble): boolean {
  const names = Object.keys(QUIET) as (keyof Trouble)[];
  return names.every((name) => JSON.stringify(trouble[name]) === JSON.stringify(QUIET[name]));
}

async function storedAnswers({ store, services }: World): Promise<string> {
  const stored = questionItemSchema.pick({ answer: true, olderAnswers: true });
  const answers: unknown[] = [];
  for await (const body of store.scan(questionKind)) {
    const { answer, olderAnswers = [] } = stored.parse(body);
    for (const each of [...(answer ? [answer] : []), ...olderAnswers])
      answers.push(unpackAnswer(services.questions, each));
  }
  return JSON.stringify(answers).toLowerCase();
}

async function verb<R>({ dataService }: World, name: string): Promise<R> {
  const answer = await dataService.handle(new Request(`${DATA_SERVICE_URL}/_sandbox/${name}`));
  return (await answer.json()) as R;
}

function portalState({ portal }: World): PortalState {
  const state = portal.sandbox.state();
  if (!isPortalState(state)) throw new Error('The stand-in reported another value than its state.');
  return state;
}

async function askConsole({ run, world, created }: Course): Promise<Told> {
  const records: Told['records'][number][] = [];
  for (const { objectType, id } of created) {
    const name = `${objectType}/${id}`;
    const explained = await run('explain', name, '--json');
    const card = explained === undefined ? undefined : (await cardOf(world, { objectType, id }).show()).view;
    records.push({ name, explained, card });
  }
  const { live, bulk } = world.queues;
  return {
    ledger: (await run('ledger', 'export', '--csv')) ?? '',
    verified: (await run('ledger', 'verify', '--json')) ?? '{}',
    spend: (await run('spend', '--json')) ?? '{}',
    runs: (await run('runs', 'verify', '--json')) ?? '{}',
    records,
    queued: live.size() + bulk.size(),
    dead: live.deadLetters().length + bulk.deadLetters().length,
  };
}

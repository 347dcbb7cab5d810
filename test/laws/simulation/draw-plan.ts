import { DAY_MS, MINUTE_MS, SECOND_MS, seededRandom } from '#shared/kernel';
import { FORMS } from '../../harness/forms.ts';
import type { FusePlan } from '../../harness/fuse.ts';
import type { StoreFault } from '../../harness/store-trouble.ts';
import { SERVICE_LATENCY_MS } from '../../harness/world.ts';
import { type Draw, drawing } from './draw.ts';
import {
  type Act,
  type Fault,
  type Plan,
  type PortalFault,
  QUIET,
  type Round,
  type Trouble,
} from './plan.ts';
import { themed } from './themes.ts';

export function drawPlan(seed: number): Plan {
  const draw = drawing(seededRandom(seed));
  // Sometimes few people have many concurrent records.
  const people = draw.oneOf([1, 2, 6]);
  // No faults at all in workers and vendor, so that no failure is excused.
  const isGentle = draw.sometimes(0.2);
  const plan: Plan = {
    seed,
    workers: draw.below(4) + 1,
    perDay: draw.oneOf([5, 5, 8, 8, 20, 20, 20, 1_000, 1_000, 1_000, 0]),
    purpose: draw.sometimes(0.3)
      ? { name: draw.oneOf(['live', 'manual', 'import'] as const), perDay: draw.oneOf([2, 4, 7]) }
      : undefined,
    timeZone: draw.oneOf(['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']),
    freshDays: draw.oneOf([2, 90]),
    noMatchCost: draw.oneOf(['none', 'base', 'full']),
    rateAlgorithm: draw.oneOf(['fixed', 'sliding', 'bucket']),
    rateLimitPerMinute: draw.oneOf([2, 4, 20, 90]),
    latencyMs: SERVICE_LATENCY_MS,
    portalLatencyMs: draw.oneOf([0, 300]),
    wantPhone: draw.sometimes(0.5),
    duplicateRate: draw.oneOf([0, 0.3, 1]),
    outOfOrder: draw.sometimes(0.5),
    believed: draw.many(8, () => draw.sometimes(0.5)),
    rounds: draw.many(draw.below(5) + 2, () => {
      const round = drawRound(draw, people);
      if (isGentle) return { ...round, ...GENTLE };
      return draw.sometimes(0.1) ? { ...round, ...drawOutage(draw) } : round;
    }),
    companies: draw.oneOf([0, 3, 7]),
    hurried: 0,
    refresh: isGentle ? QUIET : drawTrouble(draw),
  };
  // Leaves enough records and budget for a common refresh.
  const drawn = { ...plan, rounds: withoutMistakes(plan.rounds) };
  const whole = plan.companies < 7 ? drawn : { ...drawn, freshDays: 2, perDay: 1_000 };
  const lived = themed(whole, drawing(seededRandom(seed * 7_919)));
  return seed % 3 === 2 ? { ...lived, barredStage: 'other' } : lived;
}

/** The oracle does not know a contact's former identity after a mistaken address. So such plans erase no person. */
function withoutMistakes(rounds: readonly Round[]): readonly Round[] {
  const isErasing = rounds.some(({ acts }) => acts.some(({ kind }) => kind === 'erase'));
  if (!isErasing) return rounds;
  return rounds.map((round) => ({ ...round, acts: round.acts.filter(({ kind }) => kind !== 'identity') }));
}

/** Many records arrive, while for minutes no request is answered, or the key is refused. */
function drawOutage(draw: Draw): Pick<Round, 'created' | 'serviceFaults' | 'lastsMs'> {
  const forms = FORMS.flatMap((form) => [0, 1, 2].map((who) => ({ form, who })));
  const fault = draw.oneOf([
    { kind: 'reset-after', rate: 1 },
    { kind: 'status', rate: 1, status: 500, afterWork: true },
    { kind: 'status', rate: 1, status: 401 },
  ] as const);
  return { created: forms, serviceFaults: [fault], lastsMs: 20 * MINUTE_MS };
}

const GENTLE = {
  strikes: [],
  sweepStrike: undefined,
  skewsMs: [],
  sweepSkewMs: 0,
  serviceFaults: [],
  portalFaults: [],
  storeFaults: [{ kind: 'failed', rate: 0.1, times: 3 }],
} as const;

function drawRound(draw: Draw, people: number): Round {
  const lastsMs = draw.oneOf([MINUTE_MS, 5 * MINUTE_MS, 20 * MINUTE_MS, 120 * MINUTE_MS]);
  return {
    created: draw.many(draw.below(draw.oneOf([4, 8, 14])), () => ({
      form: draw.oneOf(FORMS),
      who: draw.below(people),
    })),
    isImport: draw.sometimes(0.25),
    acts: draw.many(draw.below(5), () => drawAct(draw, lastsMs)),
    ...drawTrouble(draw),
    balance: draw.sometimes(0.15) ? draw.below(6) : undefined,
    isOff: false,
    lastsMs,
  };
}

function drawTrouble(draw: Draw): Trouble {
  return {
    strikes: draw.many(draw.below(4), () => drawStrike(draw)),
    sweepStrike: draw.sometimes(0.2) ? drawStrike(draw) : undefined,
    skewsMs: draw.sometimes(0.3) ? draw.many(3, () => drawSkew(draw)) : [],
    sweepSkewMs: draw.sometimes(0.2) ? drawSkew(draw) : 0,
    serviceFaults: draw.many(draw.below(3), () => drawFault(draw)),
    portalFaults: draw.many(draw.below(2), () => drawPortalFault(draw)),
    storeFaults: draw.sometimes(0.4) ? [drawStoreFault(draw)] : [],
    lostAnswers: draw.oneOf([0, 0, 0.1, 0.5]),
    lateMs: draw.oneOf([0, 0, 0, 5 * SECOND_MS, 25 * SECOND_MS]),
    lineMs: 0,
    isRuled: draw.sometimes(0.15),
    indexLagMs: draw.oneOf([0, 0, SECOND_MS, MINUTE_MS, 30 * MINUTE_MS]),
  };
}

function drawAct(draw: Draw, lastsMs: number): Act {
  const kind = draw.oneOf([
    'edit',
    'edit',
    'clear',
    'clear',
    'request',
    'opt-out',
    'erase',
    'undo',
    'undo',
    'identity',
    'employer',
  ] as const);
  // Mostly while the workers are running.
  const afterMs = draw.below(draw.oneOf([SECOND_MS, 20 * SECOND_MS, lastsMs]));
  return { kind, record: draw.below(100), property: draw.below(100), afterMs };
}

function drawStrike(draw: Draw): FusePlan {
  const kind = draw.oneOf(['death', 'death', 'error', 'pause', 'pause', 'sleep'] as const);
  // A sleeping worker has already sent its request: right before that, the product checks its clocks.
  const effect = kind === 'sleep' ? 'done' : draw.oneOf(['none', 'done'] as const);
  const forMs =
    kind === 'sleep' ? 20 * MINUTE_MS : draw.oneOf([10 * SECOND_MS, 70 * SECOND_MS, 4 * MINUTE_MS]);
  // The few calls that cost credits are the most delicate.
  if (kind === 'sleep' || draw.sometimes(0.4))
    return { at: draw.below(3) + 1, among: 'data-service', effect, kind, forMs };
  return { at: draw.below(draw.oneOf([20, 60])) + 1, effect, kind, forMs };
}

/** Seconds, minutes or days, ahead or behind. */
function drawSkew(draw: Draw): number {
  const skewMs = draw.oneOf([0, 3 * SECOND_MS, 4 * MINUTE_MS, 2 * DAY_MS]);
  return draw.sometimes(0.5) ? skewMs : -skewMs;
}

function drawStoreFault(draw: Draw): StoreFault {
  const kind = draw.oneOf(['throttled', 'failed', 'timeout'] as const);
  return { kind, rate: draw.oneOf([0.02, 0.1, 0.5]), times: draw.oneOf([1, 3, 10]) };
}

function drawFault(draw: Draw): Fault {
  const kind = draw.oneOf(['status', 'reset-before', 'reset-after', 'hang', 'malformed', 'slow'] as const);
  const rate = draw.oneOf([0.1, 0.4, 1]);
  if (kind === 'status') {
    const status = draw.oneOf([401, 429, 500, 503]);
    // The vendor does not charge refused requests. A failure may come before or after the work.
    return { kind, rate, status, afterWork: status >= 500 && draw.sometimes(0.5) };
  }
  return kind === 'slow' ? { kind, rate, latencyMs: draw.oneOf([8_000, 40_000]) } : { kind, rate };
}

function drawPortalFault(draw: Draw): PortalFault {
  const kind = draw.oneOf(['status', 'reset-before', 'reset-after'] as const);
  const times = draw.below(4) + 1;
  const rate = 1;
  return kind === 'status'
    ? { kind, rate, times, status: draw.oneOf([429, 500, 502]) }
    : { kind, rate, times };
}

import { MINUTE_MS } from '#shared/kernel/clock.ts';
import { type Random, seededRandom } from '#shared/kernel/random.ts';
import type { Settings as ServiceSettings } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { SandboxSettings } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { FORMS, type Wanted } from '../builders/forms.ts';
import type { FusePlan } from '../builders/fuse.ts';

export type Fault = ServiceSettings['faults'][number];
export type PortalFault = SandboxSettings['faults'][number];

/** What happens between two looks of the sweep. */
export interface Round {
  readonly created: readonly Wanted[];
  /** Befalls the first worker of the round. */
  readonly strike: FusePlan | undefined;
  readonly serviceFaults: readonly Fault[];
  readonly portalFaults: readonly PortalFault[];
  /** Credits that the vendor's balance is set to. */
  readonly balance: number | undefined;
  readonly lastsMs: number;
}

/** Everything that is drawn before a run: the run itself decides nothing. */
export interface Plan {
  readonly seed: number;
  readonly workers: number;
  readonly perDay: number;
  readonly noMatchCost: ServiceSettings['noMatchCost'];
  readonly rateAlgorithm: ServiceSettings['rateAlgorithm'];
  readonly wantPhone: boolean;
  readonly duplicateRate: number;
  readonly outOfOrder: boolean;
  /** What people say of the doubts, in turn. */
  readonly believed: readonly boolean[];
  readonly rounds: readonly Round[];
}

export function drawPlan(seed: number): Plan {
  const random = seededRandom(seed);
  const draw = drawing(random);
  return {
    seed,
    workers: draw.below(3) + 1,
    perDay: draw.oneOf([8, 20, 60, 1_000]),
    noMatchCost: draw.oneOf(['none', 'base', 'full']),
    rateAlgorithm: draw.oneOf(['fixed', 'sliding', 'bucket']),
    wantPhone: draw.sometimes(0.5),
    duplicateRate: draw.oneOf([0, 0.3, 1]),
    outOfOrder: draw.sometimes(0.5),
    believed: draw.many(8, () => draw.sometimes(0.5)),
    rounds: draw.many(draw.below(5) + 2, () => drawRound(draw)),
  };
}

function drawRound(draw: Draw): Round {
  return {
    created: draw.many(draw.below(5), () => ({ form: draw.oneOf(FORMS), who: draw.below(6) })),
    strike: draw.sometimes(0.5) ? drawStrike(draw) : undefined,
    serviceFaults: draw.many(draw.below(3), () => drawFault(draw)),
    portalFaults: draw.many(draw.below(2), () => drawPortalFault(draw)),
    balance: draw.sometimes(0.15) ? draw.below(6) : undefined,
    lastsMs: draw.oneOf([MINUTE_MS, 5 * MINUTE_MS, 20 * MINUTE_MS, 120 * MINUTE_MS]),
  };
}

function drawStrike(draw: Draw): FusePlan {
  const kind = draw.oneOf(['death', 'death', 'error'] as const);
  return { at: draw.below(60) + 1, effect: draw.oneOf(['none', 'done']), kind };
}

function drawFault(draw: Draw): Fault {
  const kind = draw.oneOf(['status', 'reset-before', 'reset-after', 'hang', 'malformed', 'slow'] as const);
  const rate = draw.oneOf([0.1, 0.4, 1]);
  if (kind === 'status') {
    const status = draw.oneOf([401, 429, 500, 503]);
    // What the vendor refuses it does not charge; a failure may come before or after the work.
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

type Draw = ReturnType<typeof drawing>;

function drawing(random: Random) {
  const below = (count: number) => Math.floor(random() * count);
  return {
    below,
    sometimes: (share: number) => random() < share,
    oneOf: <T>(choices: readonly T[]): T => {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error('There is nothing to choose from.');
      return chosen;
    },
    many: <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make),
  };
}

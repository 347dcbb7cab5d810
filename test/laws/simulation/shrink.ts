import { type Plan, QUIET, type Round } from './plan.ts';

export interface Shrunk {
  readonly plan: Plan;
  readonly problems: readonly string[];
}

/**
 * Removes parts of a plan, one by one, while one of the same invariants stays broken. Ends when nothing more can be
 * removed, or at the time limit.
 */
export async function shrink(
  broken: Shrunk,
  { follow, isOver }: { follow: (plan: Plan) => Promise<readonly string[]>; isOver: () => boolean },
): Promise<Shrunk> {
  const kinds = new Set(broken.problems.map(kindOf));
  let smallest = broken;
  for (let wasSmaller = true; wasSmaller; ) {
    wasSmaller = false;
    for (const plan of smallerPlans(smallest.plan)) {
      if (isOver()) return smallest;
      const problems = await follow(plan);
      if (!problems.some((problem) => kinds.has(kindOf(problem)))) continue;
      smallest = { plan, problems };
      wasSmaller = true;
      break;
    }
  }
  return smallest;
}

/** Removes names, times and credits, which differ each time. */
function kindOf(problem: string): string {
  return problem.replaceAll(/(?:GET|POST) \S+|\S*\d\S*/g, '');
}

const PLAIN: Partial<Plan> = {
  companies: 0,
  refresh: QUIET,
  workers: 1,
  perDay: 1_000,
  timeZone: 'UTC',
  freshDays: 90,
  rateLimitPerMinute: 20,
  portalLatencyMs: 0,
  wantPhone: false,
  duplicateRate: 0,
  outOfOrder: false,
};

/** Yields plans with one part less; the largest parts first. */
function* smallerPlans(plan: Plan): Generator<Plan> {
  for (const index of plan.rounds.keys()) yield { ...plan, rounds: plan.rounds.toSpliced(index, 1) };
  for (const [index, round] of plan.rounds.entries())
    for (const smaller of smallerRounds(round)) yield { ...plan, rounds: plan.rounds.with(index, smaller) };
  yield* without(plan, PLAIN);
}

function* smallerRounds(round: Round): Generator<Round> {
  yield* without(round, QUIET);
  const lists = ['created', 'acts', 'strikes', 'serviceFaults', 'portalFaults'] as const;
  for (const name of lists)
    for (const index of round[name].keys()) yield { ...round, [name]: round[name].toSpliced(index, 1) };
}

function* without<T extends object>(whole: T, plain: Partial<T>): Generator<T> {
  for (const [name, value] of Object.entries(plain)) {
    const isPlain = JSON.stringify(Reflect.get(whole, name)) === JSON.stringify(value);
    if (!isPlain) yield { ...whole, [name]: value };
  }
}

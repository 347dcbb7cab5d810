import { moreUrgent, type Purpose } from '#shared/crm/purpose.ts';
import type { RecordState, Run } from './schemas.ts';

/** Somebody, or a workflow, asked for a run; without `maxCredits` it may cost what the policy allows. */
export type Asked = NonNullable<Run['asked']>;

/**
 * Two reasons for one run: who has no limit lifts the other's, as the run would be without it anyway. It is a workflow's
 * only where no person asks.
 */
export function joinAsked(a: Asked | undefined, b: Asked | undefined): Asked | undefined {
  const wishes = [a, b].filter((wish) => wish !== undefined);
  if (wishes.length === 0) return undefined;
  if (wishes.every(({ byWorkflow }) => byWorkflow)) return { byWorkflow: true };
  if (a?.maxCredits === undefined || b?.maxCredits === undefined) return {};
  return { maxCredits: Math.max(a.maxCredits, b.maxCredits) };
}

interface Wish {
  readonly purpose: Purpose;
  readonly eventKeys: readonly string[];
  readonly asked?: Asked | undefined;
}

/**
 * What the run that goes on, what was noted while a worker held its record, and the message have been asked for with;
 * and the purpose of the most urgent of them.
 */
export function withAsked(
  run: Run,
  { run: known, again }: Pick<RecordState, 'run' | 'again'>,
  wish: Wish,
): Run {
  const reasons = [
    ...(known ? [known.asked] : []),
    ...(again ? [again.asked] : []),
    // Scheduled work only brings on what is there.
    ...(wish.eventKeys.length > 0 || !known ? [wish.asked] : []),
  ];
  const [first, ...rest] = reasons;
  const joined = rest.reduce(joinAsked, first);
  const { asked: _, ...plain } = run;
  const purpose = [run.purpose, again?.purpose ?? run.purpose, wish.purpose].reduce(moreUrgent);
  return { ...plain, purpose, ...(joined && { asked: joined }) };
}

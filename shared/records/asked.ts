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

/** What the run that goes on, the one that was due after it and the message have been asked for with. */
export function withAsked(
  run: Run,
  { run: known, again }: Pick<RecordState, 'run' | 'again'>,
  { eventKeys, asked }: { readonly eventKeys: readonly string[]; readonly asked?: Asked | undefined },
): Run {
  const reasons = [
    ...(known ? [known.asked] : []),
    ...(again ? [again.asked] : []),
    // Scheduled work only brings on what is there.
    ...(eventKeys.length > 0 || !known ? [asked] : []),
  ];
  const [first, ...rest] = reasons;
  const joined = rest.reduce(joinAsked, first);
  const { asked: _, ...plain } = run;
  return joined ? { ...plain, asked: joined } : plain;
}

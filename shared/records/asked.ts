import { moreUrgent, type Purpose } from '#shared/crm';
import { committedCredits } from './run-charges.ts';
import type { RecordState, Run } from './schemas.ts';

/** Request of a person or a workflow for a run. Without `maxCredits`, the policy's limits apply. */
export type Asked = NonNullable<Run['asked']>;

/** Reason for a run. */
export interface Reason {
  readonly purpose: Purpose;
  readonly asked?: Asked | undefined;
  readonly askedBy?: string | undefined;
}

/**
 * Joins the reasons of one run. A price that a person agreed to limits the whole run. If other purposes would cost
 * more, they get a second run (`beyond`). The run counts as a workflow's only if no person requested it.
 */
export function joinAsked(a: Reason, b: Reason): Asked | undefined {
  const limits = [a, b].flatMap(({ asked }) => asked?.maxCredits ?? []);
  if (limits.length === 0) return joinUnlimited(a, b).asked;
  const [first, ...rest] = [a, b].flatMap(unlimitedReason);
  const beyond = first && rest.reduce(joinUnlimited, first);
  return { maxCredits: Math.max(...limits), ...(beyond && { beyond }) };
}

type UnlimitedReason = NonNullable<Asked['beyond']>;

/**
 * Returns the part of a reason that has no price limit. A backfill has its own price, so it never starts a second run.
 */
function unlimitedReason({ purpose, asked, askedBy }: Reason): UnlimitedReason[] {
  if (asked?.maxCredits !== undefined) return asked.beyond ? [asked.beyond] : [];
  return purpose === 'backfill' ? [] : [{ ...leading({ purpose, askedBy }), ...(asked && { asked }) }];
}

function joinUnlimited(a: UnlimitedReason, b: UnlimitedReason): UnlimitedReason {
  const wishes = [a.asked, b.asked].filter((wish) => wish !== undefined);
  const asked = wishes.every(({ byWorkflow }) => byWorkflow) ? { byWorkflow: true as const } : {};
  return { ...leading(a, b), ...(wishes.length > 0 && { asked }) };
}

interface Wish extends Reason {
  readonly eventKeys: readonly string[];
}

/**
 * Joins three requests: of the open run, of the notes from the time when a worker held the record, and of the message.
 * The most urgent purpose wins. If another purpose joins a backfill's run, the run keeps the credits that the backfill
 * has paid or committed until then.
 */
export function withAsked(
  run: Run,
  { run: known, again }: Pick<RecordState, 'run' | 'again'>,
  wish: Wish,
): Run {
  const reasons: Reason[] = [
    ...(known ? [known] : []),
    ...(again ? [again] : []),
    // A message without events is scheduled work. It only continues the open run.
    ...(wish.eventKeys.length > 0 || !known ? [wish] : []),
  ];
  const [first, ...rest] = reasons;
  const joined = first && rest.reduce(joinReasons, first).asked;
  const { asked: _, askedBy: _asker, ...runWithoutAsked } = run;
  const lead = leading(run, again ?? run, wish);
  return {
    ...runWithoutAsked,
    ...lead,
    ...(joined && { asked: joined }),
    ...(run.purpose === 'backfill' &&
      lead.purpose !== 'backfill' && { backfillCredits: committedCredits(run) }),
  };
}

/** Joins two reasons: the more urgent purpose, and both requests. */
export function joinReasons(a: Reason, b: Reason): Reason {
  const asked = joinAsked(a, b);
  return { ...leading(a, b), ...(asked && { asked }) };
}

/**
 * Returns the purpose and asker of the most urgent reason. If reasons are equally urgent, the first one counts. So if
 * several askers requested a run, its charge names the asker whose request caused the question.
 */
export function leading(first: Reason, ...rest: readonly Reason[]): Pick<Reason, 'purpose' | 'askedBy'> {
  const { purpose, askedBy } = rest.reduce(
    (found, each) => (moreUrgent(found.purpose, each.purpose) === found.purpose ? found : each),
    first,
  );
  return { purpose, ...(askedBy !== undefined && { askedBy }) };
}

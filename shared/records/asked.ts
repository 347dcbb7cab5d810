import { moreUrgent, type Purpose } from '#shared/crm';
import type { RecordState, Run } from './schemas.ts';

/** A person or a workflow requested a run; without `maxCredits` it may cost what the policy allows. */
export type Asked = NonNullable<Run['asked']>;

/** Why a record is worked on. */
export interface Reason {
  readonly purpose: Purpose;
  readonly asked?: Asked | undefined;
  readonly askedBy?: string | undefined;
}

/**
 * Two reasons for one run. A price that a person agreed to holds for it, for any other purpose too: that one gets a run of its
 * own follows where it would cost more. It is a workflow's only where no person asks.
 */
export function joinAsked(a: Reason, b: Reason): Asked | undefined {
  const limits = [a, b].flatMap(({ asked }) => asked?.maxCredits ?? []);
  if (limits.length === 0) return joinFree(a, b).asked;
  const [first, ...rest] = [a, b].flatMap(freeOf);
  const beyond = first && rest.reduce(joinFree, first);
  return { maxCredits: Math.max(...limits), ...(beyond && { beyond }) };
}

type Free = NonNullable<Asked['beyond']>;

/** A backfill has a price of its own: what is dearer than that is nothing to it. */
function freeOf({ purpose, asked, askedBy }: Reason): Free[] {
  if (asked?.maxCredits !== undefined) return asked.beyond ? [asked.beyond] : [];
  return purpose === 'backfill' ? [] : [{ ...leading({ purpose, askedBy }), ...(asked && { asked }) }];
}

function joinFree(a: Free, b: Free): Free {
  const wishes = [a.asked, b.asked].filter((wish) => wish !== undefined);
  const asked = wishes.every(({ byWorkflow }) => byWorkflow) ? { byWorkflow: true as const } : {};
  return { ...leading(a, b), ...(wishes.length > 0 && { asked }) };
}

interface Wish extends Reason {
  readonly eventKeys: readonly string[];
}

/**
 * Joins the requests of the continued run, of the notes made while a worker held its record, and of the message;
 * and the purpose of the most urgent of them.
 */
export function withAsked(
  run: Run,
  { run: known, again }: Pick<RecordState, 'run' | 'again'>,
  wish: Wish,
): Run {
  const reasons: Reason[] = [
    ...(known ? [known] : []),
    ...(again ? [again] : []),
    // Scheduled work only brings on what is there.
    ...(wish.eventKeys.length > 0 || !known ? [wish] : []),
  ];
  const [first, ...rest] = reasons;
  const joined = first && rest.reduce(joinReasons, first).asked;
  const { asked: _, askedBy: _asker, ...plain } = run;
  return { ...plain, ...leading(run, again ?? run, wish), ...(joined && { asked: joined }) };
}

/** Both in one. */
export function joinReasons(a: Reason, b: Reason): Reason {
  const asked = joinAsked(a, b);
  return { ...leading(a, b), ...(asked && { asked }) };
}

/**
 * Purpose and asker of the most urgent reason; of equal ones, of the first. So the charge of a run that several asked
 * for names the asker whose request made the question be asked.
 */
export function leading(first: Reason, ...rest: readonly Reason[]): Pick<Reason, 'purpose' | 'askedBy'> {
  const { purpose, askedBy } = rest.reduce(
    (found, each) => (moreUrgent(found.purpose, each.purpose) === found.purpose ? found : each),
    first,
  );
  return { purpose, ...(askedBy !== undefined && { askedBy }) };
}

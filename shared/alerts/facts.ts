import type { BudgetState, OpenReservation } from '#shared/credit-ledger';
import { commandText, counted, figure, instant } from '#shared/kernel';
import { budgetLabel, type Stop } from '#shared/spend';

/** Everything that alerts can report. */
export interface Situation {
  /** The stack that the alerts name. */
  readonly stack: string;
  readonly nowMs: number;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
  readonly budgets: readonly BudgetState[];
  /** Highest possible price of one record's questions. A budget with fewer credits left counts as used up. */
  readonly dearestCredits: number;
  readonly doubts: readonly Pick<OpenReservation, 'id' | 'amountCredits'>[];
  /** Stops by kind. The key of a stop for refused writes also has the object type. */
  readonly stops: ReadonlyMap<string, Stop>;
}

/** A fact that is reported one time. */
export interface Fact {
  readonly key: string;
  /**
   * Time when the note of the fact expires, in epoch milliseconds. Without it, the note expires when the fact no longer
   * holds.
   */
  readonly untilMs?: number | undefined;
  /** Cause of a stop, to name it again when the stop ends. */
  readonly stopped?: string | undefined;
}

/** Used percentages of a budget that are reported. */
const MARKS = [50, 80, 100] as const;
const DOUBT = 'doubt#';

/** Lists all facts that hold now. A budget that has reached a mark has also reached the lower ones. */
export function factsOf(situation: Situation): Fact[] {
  const { budgets, doubts, stops, nowMs } = situation;
  return [
    ...budgets.flatMap((state) =>
      MARKS.filter((mark) => mark <= markOf(state, situation)).map((mark) => ({
        key: keyOfMark(state, mark),
        untilMs: Math.max(state.resetsAtMs, nowMs),
      })),
    ),
    ...doubts.map(({ id }) => ({ key: `${DOUBT}${id}` })),
    ...[...stops].map(([name, { what }]) => ({ key: keyOfStop(name), stopped: what })),
  ];
}

/**
 * Writes one or two sentences for each new fact and each ended stop, with the action to take. A budget is reported only
 * at its highest mark. Doubts are reported by their number.
 */
export function sentencesOf(
  changed: { readonly added: readonly Fact[]; readonly ended: readonly Fact[] },
  situation: Situation,
): string[] {
  const added = new Set(changed.added.map(({ key }) => key));
  return [
    ...situation.budgets.flatMap((state) => {
      const mark = markOf(state, situation);
      return added.has(keyOfMark(state, mark)) ? [budgetSentence(state, { ...situation, mark })] : [];
    }),
    ...doubtSentence(
      situation.doubts.filter(({ id }) => added.has(`${DOUBT}${id}`)),
      situation.stack,
    ),
    ...[...situation.stops]
      .filter(([name]) => added.has(keyOfStop(name)))
      .map(([, { what, whatToDo }]) => `Stopped: ${what} ${whatToDo}`),
    ...changed.ended.flatMap(({ stopped }) => (stopped === undefined ? [] : `No longer stopped: ${stopped}`)),
  ];
}

function keyOfStop(name: string): string {
  return `stop#${name}`;
}

function keyOfMark({ budget, resetsAtMs }: BudgetState, mark: number): string {
  return `budget#${budget}#${resetsAtMs}#${mark}`;
}

/** Returns the highest mark that the budget has reached, or 0. A budget of zero credits is never reported. */
function markOf({ limitCredits, usedCredits, leftCredits }: BudgetState, situation: Situation): number {
  if (limitCredits === 0) return 0;
  if (leftCredits < situation.dearestCredits) return 100;
  return MARKS.findLast((mark) => usedCredits * 100 >= limitCredits * mark) ?? 0;
}

function budgetSentence(
  { budget, usedCredits, limitCredits, leftCredits, resetsAtMs }: BudgetState,
  { mark, timeZone, stack }: Pick<Situation, 'timeZone' | 'stack'> & { readonly mark: number },
): string {
  const used = `${figure(usedCredits)} of ${counted(limitCredits, 'credit')} are used`;
  const until = instant(resetsAtMs, timeZone);
  const name = budgetLabel(budget);
  if (mark === 100)
    return `Budget used up (${name}): ${used}, and records wait for it until ${until}. Raise it in the policy if they should not.`;
  return `Budget at ${mark}% (${name}): ${used}, and ${figure(leftCredits)} are left until ${until}. To see on what: ${commandText('spend', stack)}`;
}

function doubtSentence(doubts: Situation['doubts'], stack: string): string[] {
  if (doubts.length === 0) return [];
  const credits = doubts.reduce((sum, { amountCredits }) => sum + amountCredits, 0);
  const noun = doubts.length === 1 ? 'request has' : 'requests have';
  return [
    `${figure(doubts.length)} ${noun} an unknown outcome: ${counted(credits, 'credit')} in doubt. Look into the data service's usage list, then settle them with ${commandText('doubts resolve KEY', stack)} (the keys: ${commandText('doubts list', stack)}).`,
  ];
}

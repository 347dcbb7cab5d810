import type { BudgetState, OpenReservation } from '#shared/credit-ledger';
import { commandText, counted, figure, instant } from '#shared/kernel';
import { budgetLabel, type Stop } from '#shared/spend';

/** The facts that people may be alerted to. */
export interface Situation {
  /** The stack that the sentences are about. */
  readonly stack: string;
  readonly nowMs: number;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
  readonly budgets: readonly BudgetState[];
  /** The most that one record's questions may cost: a budget that has less left is used up. */
  readonly dearestCredits: number;
  readonly doubts: readonly Pick<OpenReservation, 'id' | 'amountCredits'>[];
  /** By kind, and of refused writes by type of record. */
  readonly stops: ReadonlyMap<string, Stop>;
}

/** Something to tell of once. */
export interface Fact {
  readonly key: string;
  /** When it is forgotten, epoch milliseconds; without it, when it no longer holds. */
  readonly untilMs?: number | undefined;
  /** Of a stop: its cause, to name it again when it ends. */
  readonly stopped?: string | undefined;
}

/** Percent of a budget. */
const MARKS = [50, 80, 100] as const;
const DOUBT = 'doubt#';

/** Everything that holds now. A budget that has reached a mark has reached those below it, too. */
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
 * What to say of facts that are new, and of stops that are over: a sentence or two each, with what to do. Of a budget the
 * highest mark, of doubts how many.
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

/** The highest that it has reached; 0 for none. One of nothing is no news. */
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

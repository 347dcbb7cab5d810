import { commandText, counted, figure, instant } from '#shared/kernel';
import { budgetLabel } from '#shared/spend';

interface BudgetUse {
  readonly budget: string;
  readonly usedCredits: number;
  readonly limitCredits: number;
  readonly leftCredits: number;
  readonly untilMs: number;
}

/** What alerts are sent about. */
export interface AlertParams {
  'budget-used-up': BudgetUse;
  'budget-mark': BudgetUse & { readonly mark: number };
  doubts: { readonly requests: number; readonly credits: number };
  /** `stop` is the kind, for refused writes with the object type; `what` and `toDo` are the texts of the stop. */
  stopped: { readonly stop: string; readonly what: string; readonly toDo: string };
  'stop-ended': { readonly stop: string; readonly what: string };
}

export type AlertCode = keyof AlertParams;

interface AlertPlace {
  readonly stack: string;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
}

interface AlertText<Params> {
  readonly example: Params;
  readonly seen: (params: Params, place: AlertPlace) => string;
  readonly advice: (params: Params, place: AlertPlace) => string;
}

const USE: BudgetUse = {
  ...{ budget: 'total/day', usedCredits: 160, limitCredits: 200, leftCredits: 40 },
  untilMs: Date.UTC(2026, 10, 22),
};
const STOP = { stop: 'key-refused', what: 'The data service refuses the API key.', toDo: 'Set a valid key.' };

/** One or two sentences for each alert: what, and the action to take. */
export const ALERT_TEXTS: { readonly [Code in AlertCode]: AlertText<AlertParams[Code]> } = {
  'budget-used-up': {
    example: USE,
    seen: (use, { timeZone }) =>
      `Budget used up (${budgetLabel(use.budget)}): ${usedOf(use)}, and records wait for it until ${instant(use.untilMs, timeZone)}.`,
    advice: () => 'Raise it in the policy if they should not.',
  },
  'budget-mark': {
    example: { ...USE, mark: 80 },
    seen: (use, { timeZone }) =>
      `Budget at ${use.mark}% (${budgetLabel(use.budget)}): ${usedOf(use)}, and ${figure(use.leftCredits)} are left until ${instant(use.untilMs, timeZone)}.`,
    advice: (_, { stack }) => `To see on what: ${commandText('spend', stack)}`,
  },
  doubts: {
    example: { requests: 2, credits: 4 },
    seen: ({ requests, credits }) =>
      `${figure(requests)} ${requests === 1 ? 'request has' : 'requests have'} an unknown outcome: ${counted(credits, 'credit')} in doubt.`,
    advice: (_, { stack }) =>
      `Look into the data service's usage list, then settle them with ${commandText('doubts resolve KEY', stack)} (the keys: ${commandText('doubts list', stack)}).`,
  },
  stopped: { example: STOP, seen: ({ what }) => `Stopped: ${what}`, advice: ({ toDo }) => toDo },
  'stop-ended': { example: STOP, seen: ({ what }) => `No longer stopped: ${what}`, advice: () => '' },
};

/** One line of a message, with its code and figures for the log. */
export interface AlertLine {
  readonly code: AlertCode;
  readonly params: AlertParams[AlertCode];
  readonly text: string;
}

export function alertLine<Code extends AlertCode>(
  code: Code,
  params: AlertParams[Code],
  place: AlertPlace,
): AlertLine {
  const { seen, advice } = ALERT_TEXTS[code];
  return { code, params, text: `${seen(params, place)} ${advice(params, place)}`.trimEnd() };
}

function usedOf({ usedCredits, limitCredits }: BudgetUse): string {
  return `${figure(usedCredits)} of ${counted(limitCredits, 'credit')} are used`;
}

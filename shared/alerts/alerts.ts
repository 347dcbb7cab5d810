import type { BudgetState, LedgerReader, OpenReservation } from '#shared/credit-ledger';
import {
  type Clock,
  commandText,
  counted,
  figure,
  instant,
  type Logger,
  MINUTE_MS,
  UpstreamError,
} from '#shared/kernel';
import { withoutOldKey } from '#shared/questions';
import { type RecordItems, type SentAlerts, type StatusItems, statusKind } from '#shared/records';
import { budgetLabel, readStops, readTimedWaits, type Stop, type StopSources, stopsOf } from '#shared/spend';
import { change } from '#shared/store';

/**
 * Sends a text to people.
 * @throws if it is not certain that the text arrived.
 */
export type Tell = (text: string) => Promise<void>;

export interface AlertServices extends StopSources {
  /** Absent if no receiver is set. Then the alerts read nothing. */
  readonly tell: Tell | undefined;
  /** Name of the stack. Each text begins with it, because two installations may send to the same receiver. */
  readonly name: string;
  readonly status: StatusItems;
  readonly ledger: Pick<LedgerReader, 'account' | 'now' | 'openReservations'>;
  readonly records: Pick<RecordItems, 'list'>;
  readonly dearestCredits: number;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly logger: Logger;
}

/**
 * Sends alerts about budget marks, doubts, and the begin and end of stops. Sends each alert one time, and all due
 * alerts in one message. An alert is noted before it is sent, so that two concurrent sweeps do not both send it. If
 * sending fails, the next sweep sends the alert again. Never throws.
 */
export function createAlerts(services: AlertServices): () => Promise<void> {
  const { tell, logger } = services;
  if (!tell) return async () => undefined;
  return async () => {
    try {
      await sendDueAlerts(services, tell);
    } catch (error) {
      // Logs no error message, because it may quote the webhook's secret address.
      logger.warn('alerts-failed', { code: error instanceof UpstreamError ? error.code : 'UNKNOWN' });
    }
  };
}

async function sendDueAlerts(services: AlertServices, tell: Tell): Promise<void> {
  const { status, name, clock } = services;
  const situation = await situationOf(services);
  const item = { key: statusKind.key('alerts'), kind: 'sent alerts', clock };
  const due = await change(status, item, (known): Due & { value: { alerts: SentAlerts } | undefined } => {
    const dueNow = dueFacts(known?.alerts ?? NO_ALERTS_SENT, situation);
    const isNew = dueNow.added.length + dueNow.ended.length > 0;
    return { ...dueNow, value: isNew ? { alerts: dueNow.sent } : undefined };
  });
  if (due.lines.length === 0) return;
  try {
    await tell(due.lines.map(({ text }) => `${name}: ${text}`).join('\n'));
    for (const { code, params } of due.lines) services.logger.info('alert-sent', { code, ...params });
  } catch (error) {
    await change(status, item, (known) => ({
      value: { alerts: withoutUnsent(known?.alerts ?? NO_ALERTS_SENT, due) },
    }));
    throw error;
  }
}

async function situationOf(services: AlertServices): Promise<Situation> {
  const { name: stack, ledger, dearestCredits, timeZone, clock } = services;
  const nowMs = clock.now();
  const [now, open, stops] = await Promise.all([
    ledger.now(),
    ledger.openReservations(),
    stopsNow(services, nowMs),
  ]);
  return {
    stack,
    nowMs,
    timeZone,
    budgets: now.states(),
    dearestCredits,
    doubts: open.filter(({ state }) => state === 'doubtful'),
    stops,
  };
}

/**
 * Shortest HubSpot stop that is reported. HubSpot often fails for a minute, and such a stop ends before a person could
 * act.
 */
const HUBSPOT_STOP_MS = 5 * MINUTE_MS;

/**
 * Number of records that are read each minute. A few are enough to see a stop, because records that wait for HubSpot
 * are due soon.
 */
const RECORDS_READ = 100;

/**
 * Reads all stops except stops by budgets, which have their own marks. If a kind has several causes, keeps the worst
 * cause.
 */
async function stopsNow(services: AlertServices, nowMs: number): Promise<Situation['stops']> {
  const [facts, timed] = await Promise.all([
    readStops(services),
    readTimedWaits(services.records, undefined, { limit: RECORDS_READ }),
  ]);
  const breakers = withoutOldKey(facts.breakers, nowMs);
  const lasting = timed.filter(({ sinceMs = nowMs }) => nowMs - sinceMs >= HUBSPOT_STOP_MS);
  const waiting = { inTurn: [], timed: lasting };
  const stops = stopsOf({ facts: { ...facts, breakers }, waiting, nowMs, stack: services.name });
  return new Map(stops.toReversed().map((stop) => [`${stop.kind} ${stop.objectType ?? ''}`.trim(), stop]));
}

const NO_ALERTS_SENT: SentAlerts = { facts: [] };

/** Alerts to send now, and the stored facts after sending. */
interface Due {
  readonly lines: readonly AlertLine[];
  readonly sent: SentAlerts;
  readonly added: readonly Fact[];
  readonly ended: readonly Fact[];
}

/**
 * Finds the facts that were not reported yet. A reported fact is not reported again while it holds, or before its
 * expiry.
 */
function dueFacts(known: SentAlerts, situation: Situation): Due {
  const facts = factsOf(situation);
  const holding = keysOf(facts);
  const reported = keysOf(known.facts);
  const added = facts.filter(({ key }) => !reported.has(key));
  const [kept, ended] = split(
    known.facts,
    ({ key, untilMs = 0 }) => holding.has(key) || untilMs > situation.nowMs,
  );
  const sent = { facts: [...kept, ...added] };
  return { lines: linesOf({ added, ended }, situation), sent, added, ended };
}

/**
 * Removes the note of alerts that did not arrive, so that they are sent again. Keeps alerts that another sweep has sent
 * in the meantime.
 */
function withoutUnsent(known: SentAlerts, { added, ended }: Pick<Due, 'added' | 'ended'>): SentAlerts {
  const unsent = keysOf([...added, ...ended]);
  return { facts: [...known.facts.filter(({ key }) => !unsent.has(key)), ...ended] };
}

function keysOf(facts: SentAlerts['facts']): ReadonlySet<string> {
  return new Set(facts.map(({ key }) => key));
}

function split<T>(all: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

/** Everything that alerts can report. */
interface Situation {
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
interface Fact {
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

const STOP_PREFIX = 'stop#';

/** Lists all facts that hold now. A budget that has reached a mark has also reached the lower ones. */
function factsOf(situation: Situation): Fact[] {
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
 * Writes a line for each new fact and each ended stop. A budget is reported only at its highest mark. Doubts are
 * reported by their number.
 */
function linesOf(
  changed: { readonly added: readonly Fact[]; readonly ended: readonly Fact[] },
  situation: Situation,
): AlertLine[] {
  const added = new Set(changed.added.map(({ key }) => key));
  return [
    ...situation.budgets.flatMap((state) => {
      const mark = markOf(state, situation);
      return added.has(keyOfMark(state, mark)) ? [budgetLine(state, mark, situation)] : [];
    }),
    ...doubtLine(
      situation.doubts.filter(({ id }) => added.has(`${DOUBT}${id}`)),
      situation,
    ),
    ...[...situation.stops]
      .filter(([name]) => added.has(keyOfStop(name)))
      .map(([stop, { what, whatToDo: toDo }]) => alertLine('stopped', { stop, what, toDo }, situation)),
    ...changed.ended.flatMap(({ key, stopped: what }) =>
      what === undefined
        ? []
        : [alertLine('stop-ended', { stop: key.slice(STOP_PREFIX.length), what }, situation)],
    ),
  ];
}

function keyOfStop(name: string): string {
  return `${STOP_PREFIX}${name}`;
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

function budgetLine(state: BudgetState, mark: number, situation: Situation): AlertLine {
  const { budget, usedCredits, limitCredits, leftCredits, resetsAtMs: untilMs } = state;
  const use = { budget, usedCredits, limitCredits, leftCredits, untilMs };
  return mark === 100
    ? alertLine('budget-used-up', use, situation)
    : alertLine('budget-mark', { ...use, mark }, situation);
}

function doubtLine(doubts: Situation['doubts'], situation: Situation): AlertLine[] {
  if (doubts.length === 0) return [];
  const credits = doubts.reduce((sum, { amountCredits }) => sum + amountCredits, 0);
  return [alertLine('doubts', { requests: doubts.length, credits }, situation)];
}

interface BudgetUse {
  readonly budget: string;
  readonly usedCredits: number;
  readonly limitCredits: number;
  readonly leftCredits: number;
  readonly untilMs: number;
}

/** What alerts are sent about. */
interface AlertParams {
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
  budget: 'total/day',
  usedCredits: 160,
  limitCredits: 200,
  leftCredits: 40,
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
      `${figure(requests)} ${requests === 1 ? 'request has' : 'requests have'} an unknown outcome: at most ${counted(credits, 'credit')}.`,
    advice: (_, { stack }) =>
      `Look into the data service's usage list, then settle them with ${commandText('doubts resolve KEY', stack)} (the keys: ${commandText('doubts list', stack)}).`,
  },
  stopped: { example: STOP, seen: ({ what }) => `Stopped: ${what}`, advice: ({ toDo }) => toDo },
  'stop-ended': { example: STOP, seen: ({ what }) => `No longer stopped: ${what}`, advice: () => '' },
};

/** One line of a message, with its code and figures for the log. */
interface AlertLine {
  readonly code: AlertCode;
  readonly params: AlertParams[AlertCode];
  readonly text: string;
}

function alertLine<Code extends AlertCode>(
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

import { budgetParts, refusalSentence } from '#shared/credit-ledger';
import { askerWords, type Purpose } from '#shared/crm';
import { type BackfillSummary, limitWords, trialWords } from '#shared/extensions/backfill';
import { ASKER_GRACE_MS, HELD_BACK, MAX_ADMITTED } from '#shared/extensions/requests';
import { commandText, counted, DAY_MS, figure } from '#shared/kernel';
import type { StoredDoubt } from '#shared/questions';
import { eventThatEnds, waitingWords } from '#shared/records';
import { findingWords, isUndecided, type ReviewPage } from '#shared/review';
import { budgetLabel, type Charge, label, type SpendReport, type Stop } from '#shared/spend';
import { type RuleInput, rulesOf } from './rule-rows.ts';
import type { HomeView } from './schemas.ts';

export interface HomeInput extends RuleInput {
  readonly report: SpendReport;
  readonly reviews: ReviewPage;
  /** Oldest first. */
  readonly doubts: readonly StoredDoubt[];
  /** Backfills that have not ended, newest first, with the highest price of the next step. */
  readonly backfills: readonly OpenBackfill[];
  /** Privacy notices that were due by today and not sent. */
  readonly notices: NonNullable<HomeView['notices']>;
  /** Highest price of one record, by the policy. */
  readonly dearestCredits: number;
  /** Newest first. */
  readonly charges: readonly Charge[];
  /** The stack that the commands in the texts name; absent on one machine. */
  readonly stack?: string | undefined;
}

export type OpenBackfill = BackfillSummary & {
  readonly maxCredits: number;
  /** Days until the budgets have covered its expected cost; `undefined` if they leave nothing for it. */
  readonly days: number | undefined;
};

type Need = HomeView['needs'][number];
type StopNeed = Extract<Need, { readonly kind: 'stop' }>;

export const MAX_REVIEW_ITEMS = 20;
export const MAX_ACTIVITY = 50;
/** Maximum number of listed items. More than one at a time is rare. */
const MAX_BACKFILLS = 5;
const MAX_DOUBTS = 10;

/** Builds the home page's content. It contains no value of a record, because HubSpot itself shows names. */
export function homeView(input: HomeInput): HomeView {
  const { report, reviews, charges } = input;
  const { generatedAtMs: atMs, timeZone, stops } = report;
  const items = reviewItems(reviews);
  const stopped = stops.find(({ kind }) => kind === 'stopped-by-person');
  return {
    atMs,
    timeZone,
    needs: [...stops.map(stopNeed), ...doubtNeeds(input), ...backfillNeeds(input), ...noticeNeeds(input)],
    review: {
      items: items.slice(0, MAX_REVIEW_ITEMS),
      isMore: items.length > MAX_REVIEW_ITEMS || reviews.next !== undefined,
      toDo: `To see all, run: ${commandText('review list', input.stack)}`,
    },
    spend: spendOf(input),
    waiting: waitingOf(input),
    backfills: backfillsOf(input),
    policy: rulesOf(input),
    notices: input.notices,
    activity: charges.slice(0, MAX_ACTIVITY).map(activityOf),
    ...(stopped?.sinceMs !== undefined && {
      stopped: { sinceMs: stopped.sinceMs, what: stopped.what },
    }),
  };
}

function reviewItems({ values }: ReviewPage): HomeView['review']['items'] {
  return values.flatMap(({ objectType, id, findings }) =>
    findings.filter(isUndecided).map(({ kind, reason, answer, foundAtMs: sinceMs }) => ({
      objectType,
      id,
      kind,
      ...findingWords(reason),
      sinceMs,
      hasAnswer: answer !== undefined,
    })),
  );
}

function stopNeed(stop: Stop): Need {
  const { kind, what, whatToDo, sinceMs } = stop;
  const byPerson = kind === 'stopped-by-person';
  const toDo = DONE_HERE[kind] ?? whatToDo;
  return {
    kind: 'stop',
    code: kind,
    what,
    toDo,
    byPerson,
    ...otherwiseOf(stop),
    ...(sinceMs !== undefined && { sinceMs }),
  };
}

/** Advice about stops that a button of this page ends. It names no command. */
const DONE_HERE: Partial<Readonly<Record<Stop['kind'], string>>> = {
  'stopped-by-person': 'Stored answers are still used. Resume spending when the reason is gone.',
  'too-many-doubts':
    'Check whether the data service works. Then decide the requests in doubt; each is listed here once its answer is overdue.',
  'reserved-for-leads': 'Wait, or start some of the records under "Waiting".',
};

function otherwiseOf({
  kind,
  untilMs,
  untilResumed,
}: Stop): Pick<StopNeed, 'ends' | 'untilMs' | 'otherwise'> {
  if (kind === 'ledger-broken') return { otherwise: 'The figures on this page may be wrong.' };
  const wait = 'Records that need a purchase wait until';
  if (untilResumed)
    return { ends: 'when-resumed', otherwise: `${wait} ${eventThatEnds('stopped-by-person')}.` };
  return untilMs === undefined
    ? { ends: 'when-resolved', otherwise: `${wait} it is resolved.` }
    : { ends: 'by-itself', untilMs, otherwise: 'It ends or is retried by itself; records wait until then.' };
}

/**
 * Builds rows for the oldest doubts, each with its buttons, and one row that counts the other doubts. A doubt whose answer
 * may still come needs nobody.
 */
function doubtNeeds({ report, doubts, stack, policy }: HomeInput): Need[] {
  const due = doubts.filter(({ deadlineAtMs }) => deadlineAtMs + ASKER_GRACE_MS <= report.generatedAtMs);
  const { doubtsChargedAfterHours: hours } = policy;
  const otherwise =
    hours === undefined
      ? 'It counts against the budget until a person decides.'
      : `It counts as charged ${counted(hours, 'hour')} after the request.`;
  const listed = due.slice(0, MAX_DOUBTS);
  const needs = listed.map((doubt): Need => {
    const { questionKey, reservationId, credits, operation, record, sentAtMs } = doubt;
    const then = record === undefined ? '' : ' Its record may then be looked up again.';
    return {
      kind: 'doubt',
      what: `No answer to a ${label(operation).toLowerCase()}, ${counted(credits, 'credit')}.`,
      ...(record !== undefined && { record }),
      otherwise,
      credits,
      doubt: { questionKey, reservationId },
      toDo: `Was it charged? Compare with the data service's usage list.${then}`,
      sinceMs: sentAtMs,
    };
  });
  const others = due.slice(MAX_DOUBTS);
  if (others.length === 0) return needs;
  const credits = others.reduce((sum, doubt) => sum + doubt.credits, 0);
  const more = `${counted(others.length, 'more request')} with an unknown outcome: ${counted(credits, 'credit')} in doubt.`;
  const toDo = `To see and decide them, run: ${commandText('doubts list', stack)}`;
  return [...needs, { kind: 'doubt', what: more, credits, otherwise, toDo }];
}

function backfillNeeds({ backfills }: HomeInput): Need[] {
  const undecided = backfills.filter(({ state }) => state === 'quoted' || state === 'approval');
  return undecided.slice(0, MAX_BACKFILLS).map(({ maxCredits, days, ...summary }): Need => {
    const { id, state, objectType, scope, spent, trial, limits = {}, createdAtMs, quote } = summary;
    const name = `backfill of ${objectType} (${scope})`;
    const rest = {
      kind: 'backfill',
      backfillId: id,
      state,
      maxCredits,
      spentCredits: spent,
      ...(quote && { atMostCredits: quote.atMost }),
      ...(days !== undefined && { days }),
      otherwise: 'Nothing more is bought for it.',
    } as const;
    const soFar = `Spent so far: ${counted(spent, 'credit')}.`;
    if (state === 'quoted') {
      const what = `The ${name} waits for its start. ${startCosts(summary, { maxCredits, days })}`;
      return {
        ...rest,
        what,
        otherwise: 'Nothing is bought for it.',
        moves: ['start', 'stop'],
        sinceMs: createdAtMs,
      };
    }
    const most = `The rest costs at most ${counted(maxCredits, 'credit')}.`;
    const found = trial ? ` ${trialWords(trial)}` : '';
    const what = `The ${name} waits for approval after its trial.${found} ${limitWords(limits)} ${soFar} ${most}`;
    return { ...rest, what, moves: ['approve', 'stop'] };
  });
}

/** Started backfills that have not ended. A paused one can be resumed, any other can be paused. */
function backfillsOf({ backfills }: Pick<HomeInput, 'backfills'>): HomeView['backfills'] {
  return backfills
    .filter(({ state }) => MOVES_IN[state] !== undefined)
    .slice(0, MAX_BACKFILLS)
    .map(({ id: backfillId, objectType, scope, state, records, ended, spent, maxCredits, ...more }) => {
      const { matchRate, quote, pause, holding, days } = more;
      return {
        backfillId,
        objectType,
        scope,
        state,
        records,
        ended,
        maxCredits,
        spentCredits: spent,
        moves: [...(MOVES_IN[state] ?? [])],
        ...(matchRate !== undefined && { matchRate }),
        ...(quote && { atMostCredits: quote.atMost }),
        ...(pause && { pausedBy: pause.by, reason: pause.reason, sinceMs: pause.atMs }),
        ...(!pause && holding && { reason: holding.reason, sinceMs: holding.sinceMs }),
        ...(days !== undefined && { days }),
      };
    });
}

type Move = HomeView['backfills'][number]['moves'][number];

const MOVES_IN: Readonly<Partial<Record<BackfillSummary['state'], readonly Move[]>>> = {
  trial: ['pause', 'stop'],
  running: ['pause', 'stop'],
  paused: ['resume', 'stop'],
};

/** The highest cost of the trial and of all records. Stored answers are free. */
function startCosts(
  { records, quote }: BackfillSummary,
  { maxCredits, days }: Pick<OpenBackfill, 'maxCredits' | 'days'>,
): string {
  if (quote?.atMost === 0) return 'It is free, because it only uses stored answers.';
  const trial = maxCredits === 0 ? 'is free' : `costs at most ${counted(maxCredits, 'credit')}`;
  if (!quote) return `The trial ${trial}.`;
  const { atMost, expected } = quote;
  const likely = expected === undefined ? '' : `, expected ${figure(expected)}`;
  return `The trial ${trial}. All ${counted(records, 'record')} cost at most ${counted(atMost, 'credit')}${likely}. ${daysSentence(days)}`;
}

function daysSentence(days: number | undefined): string {
  return days === undefined
    ? 'The budgets leave nothing for it: raise them in the policy.'
    : `The budgets cover it in ${counted(days, 'day')}.`;
}

function noticeNeeds({ notices: { due }, stack }: HomeInput): Need[] {
  if (due === 0) return [];
  const verb = due === 1 ? 'was' : 'were';
  return [
    {
      kind: 'notice',
      due,
      what: `${counted(due, 'privacy notice')} ${verb} due by today and not sent.`,
      otherwise: 'An alarm rings once a notice is a week late.',
      toDo: `Send them, and fill enrichment_notice_sent_at. To list them, run: ${commandText('privacy notices', stack)}`,
    },
  ];
}

function waitingOf({ report, dearestCredits }: HomeInput): HomeView['waiting'] {
  const { waiting, generatedAtMs: atMs } = report;
  return [
    ...(waiting?.inTurn ?? []).map((line) => {
      const { purpose, records: ofPurpose, refusal, days, oldestMs: sinceMs } = line;
      const reason = line.reason ?? (refusal ? 'budget' : 'queued');
      const until = eventThatEnds(reason);
      const wait = {
        reason,
        purpose,
        records: ofPurpose,
        sinceMs,
        why: refusal ? refusalSentence(refusal) : waitingWords(reason).why,
        ...(refusal && { nextMs: refusal.opensAtMs }),
        ...(days !== undefined && { lastMs: atMs + days * DAY_MS }),
        ...(until !== undefined && { until }),
      };
      const isReserve = line.refusal !== undefined && (line.refusal.keptCredits ?? 0) > 0;
      if (!isReserve || !HELD_BACK.includes(line.purpose)) return wait;
      const pays = Math.floor(leftFor(line.purpose, report) / Math.max(1, dearestCredits));
      const records = Math.min(line.records, MAX_ADMITTED, pays);
      if (records === 0) return wait;
      return { ...wait, admit: { purpose: line.purpose, records, maxCredits: records * dearestCredits } };
    }),
    ...(waiting?.timed ?? []).map(({ reason, records, rules, sinceMs, earliestMs, latestMs, isMore }) => {
      const until = eventThatEnds(reason);
      return {
        reason,
        records,
        why: rules?.join(' ') ?? waitingWords(reason).why,
        ...(sinceMs !== undefined && { sinceMs }),
        ...(until === undefined ? { nextMs: Math.max(earliestMs, atMs) } : { until }),
        ...(until === undefined && !isMore && { lastMs: Math.max(latestMs, atMs) }),
      };
    }),
  ];
}

/** Returns the credits that the budgets have left for this purpose, those reserved for leads included. */
function leftFor(purpose: Purpose, { budgets }: SpendReport): number {
  const own = budgets.filter((budget) => ['total', purpose].includes(budgetParts(budget).scope));
  return Math.max(0, Math.min(...own.map(({ leftCredits }) => leftCredits)));
}

function spendOf({ report }: HomeInput): HomeView['spend'] {
  const { balanceCredits, budgets } = report;
  return {
    todayCredits: report.spentTodayCredits,
    monthCredits: report.spentMonthCredits,
    pendingCredits: report.pendingCredits,
    doubtfulCredits: report.doubtfulCredits,
    forecastCredits: report.forecastMonthCredits,
    ...(balanceCredits !== undefined && { balanceCredits }),
    budgets: budgets.map(({ budget, ...state }) => ({ budget, label: budgetLabel(budget), ...state })),
  };
}

function activityOf({ record, atMs, operation, purpose, outcome, credits, askedBy }: Charge) {
  return {
    ...(record !== undefined && { record }),
    atMs,
    operation,
    purpose,
    outcome,
    credits,
    ...(askedBy !== undefined && { askedBy: askerWords(askedBy) }),
  };
}

import { askerWords } from '#shared/crm';
import { commandText, counted } from '#shared/kernel';
import { isUndecided, type ReviewPage } from '#shared/review';
import {
  budgetLabel,
  type Charge,
  doubtCount,
  type SpendReport,
  type Stop,
  timedSentence,
  waitingSentence,
} from '#shared/spend';
import type { HomeView } from './schemas.ts';

export interface HomeInput {
  readonly report: SpendReport;
  readonly reviews: ReviewPage;
  /** Newest first. */
  readonly charges: readonly Charge[];
  /** Whose commands the texts name; absent on one machine. */
  readonly stack?: string | undefined;
  /** Hours after which the policy counts a doubt as charged. */
  readonly doubtsChargedAfterHours?: number | undefined;
}

type Need = HomeView['needs'][number];

export const MAX_REVIEW_ITEMS = 20;
export const MAX_ACTIVITY = 10;
/** More than one at a time is rare. */
const MAX_BACKFILLS = 5;

/** The home page's content. No value of a record: HubSpot itself shows names. */
export function homeView(input: HomeInput): HomeView {
  const { report, reviews, charges } = input;
  const { generatedAtMs: atMs, timeZone, stops } = report;
  const items = reviewItems(reviews);
  const stopped = stops.find(({ kind }) => kind === 'stopped-by-person');
  return {
    ...{ atMs, timeZone },
    needs: [...stops.map(stopNeed), ...doubtNeed(input), ...backfillNeeds(input)],
    review: {
      items: items.slice(0, MAX_REVIEW_ITEMS),
      isMore: items.length > MAX_REVIEW_ITEMS || reviews.next !== undefined,
      toDo: `To decide, run: ${commandText('review list', input.stack)}`,
    },
    spend: spendOf(report),
    waiting: [
      ...(report.waiting?.inTurn ?? []).map((line) => waitingSentence(line, timeZone)),
      ...(report.waiting?.timed ?? []).map((wait) => timedSentence(wait, atMs, timeZone)),
    ],
    activity: charges.slice(0, MAX_ACTIVITY).map(activityOf),
    ...(stopped?.sinceMs !== undefined && {
      stopped: { sinceMs: stopped.sinceMs, what: stopped.what },
    }),
  };
}

function reviewItems({ values }: ReviewPage): HomeView['review']['items'] {
  return values.flatMap(({ objectType, id, findings }) =>
    findings.filter(isUndecided).map(({ kind, reason, properties = [], foundAtMs: sinceMs }) => ({
      ...{ objectType, id, kind, reason, sinceMs },
      properties: properties.length,
    })),
  );
}

function stopNeed({ kind, what, whatToDo, sinceMs, untilMs }: Stop): Need {
  const otherwise =
    untilMs === undefined && kind !== 'ledger-broken'
      ? 'Records that need a purchase wait until it is resolved.'
      : OTHERWISE_STOP[kind === 'ledger-broken' ? kind : 'timed'];
  return { kind: 'stop', what, otherwise, toDo: whatToDo, ...(sinceMs !== undefined && { sinceMs }) };
}

const OTHERWISE_STOP = {
  'ledger-broken': 'The figures on this page may be wrong.',
  timed: 'It ends or is retried by itself; records wait until then.',
};

function doubtNeed({ report, stack, doubtsChargedAfterHours: hours }: HomeInput): Need[] {
  const doubts = doubtCount(report);
  if (doubts === 0) return [];
  const [oldest] = report.openDoubts;
  const requests = doubts === 1 ? '1 request has' : `${doubts} requests have`;
  return [
    {
      kind: 'doubt',
      what: `${requests} an unknown outcome: ${counted(report.doubtfulCredits, 'credit')} in doubt.`,
      otherwise:
        hours === undefined
          ? 'They count against the budget until a person decides.'
          : `They count as charged ${counted(hours, 'hour')} after the request.`,
      toDo: `Compare with the data service's usage list. To see them, run: ${commandText('doubts list', stack)}`,
      ...(report.oldDoubts === undefined && oldest && { sinceMs: oldest.atMs }),
    },
  ];
}

function backfillNeeds({ report, stack }: HomeInput): Need[] {
  return (report.backfills ?? [])
    .filter(({ state }) => state === 'approval' || state === 'paused')
    .slice(0, MAX_BACKFILLS)
    .map(({ id, state, scope, afterCanary, spent }): Need => {
      const cost = afterCanary ? ` The rest costs at most ${counted(afterCanary.worst, 'credit')}.` : '';
      const why = state === 'approval' ? 'waits for approval after its sample' : 'is paused';
      return {
        kind: 'backfill',
        what: `The backfill of ${scope} ${why}. Spent so far: ${counted(spent, 'credit')}.${cost}`,
        otherwise: 'Nothing more is bought for it.',
        toDo: `To decide, run: ${commandText(`backfill status ${id}`, stack)}`,
      };
    });
}

function spendOf(report: SpendReport): HomeView['spend'] {
  const { forecastRange, balanceCredits, budgets } = report;
  return {
    todayCredits: report.spentTodayCredits,
    monthCredits: report.spentMonthCredits,
    pendingCredits: report.pendingCredits,
    doubtfulCredits: report.doubtfulCredits,
    forecastCredits: report.forecastMonthCredits,
    ...(forecastRange && { forecastRange }),
    ...(balanceCredits !== undefined && { balanceCredits }),
    budgets: budgets.map(({ budget, ...state }) => ({ label: budgetLabel(budget), ...state })),
  };
}

function activityOf({ record, atMs, operation, purpose, outcome, credits, askedBy }: Charge) {
  return {
    ...(record !== undefined && { record }),
    ...{ atMs, operation, purpose, outcome, credits },
    ...(askedBy !== undefined && { askedBy: askerWords(askedBy) }),
  };
}

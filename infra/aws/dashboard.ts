import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  CustomWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { LANES } from '#shared/crm';
import type { MetricId } from '#shared/metrics';
import type { Alarms } from './alarms.ts';
import type { Functions } from './functions.ts';
import { ownMetric, ownSeries } from './metrics.ts';
import { FUNCTIONS } from './names.ts';
import type { Queues } from './queues.ts';

export interface DashboardParts {
  /** The stack's name, which is a dimension of every metric. */
  readonly service: string;
  readonly functions: Functions;
  readonly queues: Queues;
  readonly alarms: Alarms;
}

const HOUR = 60;
const FIVE_MINUTES = 5;

/** Shows spend and budgets first, then the enrichment, then the services that it depends on. */
export class SpendDashboard extends Construct {
  readonly name: string;

  constructor(scope: Construct, services: DashboardParts) {
    super(scope, 'Dashboard');
    this.name = `${services.service}-credit-spend`;
    const rows = [
      overview(services),
      credits(services),
      work(services),
      vendors(services),
      infrastructure(services),
    ];
    new Dashboard(this, 'Spend', {
      dashboardName: this.name,
      defaultInterval: Duration.days(7),
      widgets: rows,
    });
  }
}

/**
 * Shows the spend page and the alarms. `report-spend` renders the page inside the console, for users who are allowed
 * to invoke it.
 */
function overview({ functions, alarms }: DashboardParts): IWidget[] {
  return [
    new CustomWidget({
      title: 'Credit spend',
      functionArn: functions.live['report-spend'].functionArn,
      width: 16,
      height: 14,
      updateOnRefresh: true,
      // The page does not depend on the widget's size or time range.
      updateOnResize: false,
      updateOnTimeRangeChange: false,
    }),
    new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.alarms], width: 8, height: 14 }),
  ];
}

function credits({ service }: DashboardParts): IWidget[] {
  return [
    series(service, 'Credits by operation and purpose, an hour', 'creditsSpent', HOUR),
    series(service, 'Credits left, by budget', 'budgetLeft', HOUR),
    graph('Credit balance', [plain(service, 'creditBalance', HOUR)]),
    graph('Budget used most, percent', [plain(service, 'budgetUsed', FIVE_MINUTES)]),
  ];
}

function work({ service }: DashboardParts): IWidget[] {
  return [
    series(service, 'Outcomes, an hour', 'outcomes', HOUR),
    series(service, 'Answers from the store, an hour', 'cacheHits', HOUR),
    graph('Doubts, and records that wait', [
      plain(service, 'doubtsOpen', FIVE_MINUTES),
      plain(service, 'recordsWaiting', FIVE_MINUTES),
    ]),
    graph('Age of the oldest waiting lead, and time since the last purchase, ms', [
      plain(service, 'oldestLead', FIVE_MINUTES),
      plain(service, 'nothingBought', FIVE_MINUTES),
    ]),
    graph('Longest wait of a record, ms', [plain(service, 'oldestWaiting', HOUR)]),
    graph('Must be zero', [
      plain(service, 'checksFailed', FIVE_MINUTES),
      plain(service, 'messagesFailed', FIVE_MINUTES),
      plain(service, 'keysMissing', FIVE_MINUTES),
      plain(service, 'nothingEnriched', FIVE_MINUTES),
    ]),
  ];
}

function vendors({ service }: DashboardParts): IWidget[] {
  return [
    graph('Vendor: share of the rate used', [plain(service, 'vendorRateUsed', FIVE_MINUTES)]),
    graph('Vendor: requests', [plain(service, 'vendorRequests', FIVE_MINUTES)]),
    graph('Stops', [
      plain(service, 'purchasesStopped', FIVE_MINUTES),
      plain(service, 'spendingStopped', FIVE_MINUTES),
    ]),
    graph("HubSpot: share of the day's calls left, percent", [plain(service, 'hubSpotDailyLeft', HOUR)]),
    graph('HubSpot: failures and refusals', [
      plain(service, 'hubSpotUnavailable', HOUR),
      plain(service, 'hubSpotWritesStopped', HOUR),
      plain(service, 'otherInstallation', HOUR),
      plain(service, 'noticesLate', HOUR),
    ]),
  ];
}

function infrastructure({ service, queues, functions }: DashboardParts): IWidget[] {
  const period = Duration.minutes(FIVE_MINUTES);
  return [
    graph(
      'Age of the oldest message, seconds',
      LANES.map((lane) =>
        queues.lanes[lane].queue.metricApproximateAgeOfOldestMessage({ period, label: lane }),
      ),
    ),
    graph('Webhooks: latency, ms', [plain(service, 'webhookLatency', FIVE_MINUTES)]),
    graph('Webhooks: events, records, refusals', [
      plain(service, 'webhookEventsReceived', FIVE_MINUTES),
      plain(service, 'webhookRecordsQueued', FIVE_MINUTES),
      plain(service, 'webhookSignaturesRefused', FIVE_MINUTES),
      plain(service, 'webhookBodiesRefused', FIVE_MINUTES),
      plain(service, 'privacyDeletionsMissed', FIVE_MINUTES),
      plain(service, 'recordsUnreported', FIVE_MINUTES),
    ]),
    graph(
      'Function errors',
      FUNCTIONS.map((name) => functions.byName[name].metricErrors({ period, label: name })),
    ),
  ];
}

function plain(service: string, id: MetricId, periodMinutes: number): IMetric {
  return ownMetric(service, id, { periodMinutes });
}

function series(service: string, title: string, id: MetricId, periodMinutes: number): GraphWidget {
  return graph(title, [ownSeries(service, id, periodMinutes)]);
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 6, height: 6, leftYAxis: { min: 0 } });
}

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
import type { MetricId } from '#shared/metrics/names.ts';
import type { Alarms } from './alarms.ts';
import type { Functions } from './functions.ts';
import { ownMetric, ownSeries } from './metrics.ts';
import { FUNCTIONS, LANES } from './names.ts';
import type { Queues } from './queues.ts';

export interface DashboardParts {
  /** The stack's name, which every metric carries. */
  readonly service: string;
  readonly functions: Functions;
  readonly queues: Queues;
  readonly alarms: Alarms;
}

const HOUR = 60;
const FIVE_MINUTES = 5;

/** Where the credits go and what is left of them, then what the system does, then what it stands on. */
export class SpendDashboard extends Construct {
  readonly name: string;

  constructor(scope: Construct, services: DashboardParts) {
    super(scope, 'Dashboard');
    this.name = `${services.service}-credit-spend`;
    const rows = [overview(services), credits(services), work(services), vendors(services), doors(services)];
    new Dashboard(this, 'Spend', {
      dashboardName: this.name,
      defaultInterval: Duration.days(7),
      widgets: rows,
    });
  }
}

/** `report-spend` draws the spend page inside the console, for whoever may invoke it there. */
function overview({ functions, alarms }: DashboardParts): IWidget[] {
  return [
    new CustomWidget({
      title: 'Credit spend',
      functionArn: functions.byName['report-spend'].functionArn,
      width: 16,
      height: 14,
      updateOnRefresh: true,
      // The page is the same whatever the size and range of the widget.
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
    graph('Month: forecast, and balance bought', [
      ownMetric(service, 'forecastMonth', HOUR),
      ownMetric(service, 'creditBalance', HOUR),
    ]),
    graph('Budget used most, percent', [ownMetric(service, 'budgetUsed', FIVE_MINUTES)]),
  ];
}

function work({ service }: DashboardParts): IWidget[] {
  return [
    series(service, 'Outcomes, an hour', 'outcomes', HOUR),
    series(service, 'Answers from the store, an hour', 'cacheHits', HOUR),
    graph('Doubts, and records that wait', [
      ownMetric(service, 'doubtsOpen', FIVE_MINUTES),
      ownMetric(service, 'recordsWaiting', FIVE_MINUTES),
    ]),
    graph('Oldest fresh lead in turn, ms', [ownMetric(service, 'oldestLead', FIVE_MINUTES)]),
    graph('Must be nothing', [
      ownMetric(service, 'conservationDifference', FIVE_MINUTES),
      ownMetric(service, 'ledgerProblems', FIVE_MINUTES),
      ownMetric(service, 'messagesFailed', FIVE_MINUTES),
      ownMetric(service, 'keysMissing', FIVE_MINUTES),
    ]),
  ];
}

function vendors({ service }: DashboardParts): IWidget[] {
  return [
    graph('Vendor: share of the rate used', [ownMetric(service, 'vendorRateUsed', FIVE_MINUTES)]),
    graph('Vendor: requests', [
      ownMetric(service, 'vendorRequests', FIVE_MINUTES),
      ownMetric(service, 'vendorRateLimited', FIVE_MINUTES),
    ]),
    graph('Vendor: closed to us', [
      ownMetric(service, 'vendorKeyRefused', FIVE_MINUTES),
      ownMetric(service, 'vendorOutOfCredits', FIVE_MINUTES),
    ]),
    graph('HubSpot: calls left today, and failures', [
      ownMetric(service, 'hubSpotDailyRemaining', HOUR),
      ownMetric(service, 'hubSpotUnavailable', HOUR),
    ]),
  ];
}

function doors({ service, queues, functions }: DashboardParts): IWidget[] {
  const period = Duration.minutes(FIVE_MINUTES);
  return [
    graph(
      'Age of the oldest message, seconds',
      LANES.map((lane) =>
        queues.lanes[lane].queue.metricApproximateAgeOfOldestMessage({ period, label: lane }),
      ),
    ),
    graph('Webhooks: latency, ms', [ownMetric(service, 'webhookLatency', FIVE_MINUTES)]),
    graph('Webhooks: events, records, refusals', [
      ownMetric(service, 'webhookEventsReceived', FIVE_MINUTES),
      ownMetric(service, 'webhookRecordsQueued', FIVE_MINUTES),
      ownMetric(service, 'webhookSignaturesRefused', FIVE_MINUTES),
      ownMetric(service, 'webhookBodiesRefused', FIVE_MINUTES),
      ownMetric(service, 'webhookQueueFailures', FIVE_MINUTES),
    ]),
    graph(
      'Function errors',
      FUNCTIONS.map((name) => functions.byName[name].metricErrors({ period, label: name })),
    ),
  ];
}

function series(service: string, title: string, id: MetricId, periodMinutes: number): GraphWidget {
  return graph(title, [ownSeries(service, id, periodMinutes)]);
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 6, height: 6, leftYAxis: { min: 0 } });
}

import { ALARMS } from '../../../infra/aws/alarm-list.ts';

/** List prices of us-east-1 in November 2026, US dollars; arm64, on demand, without free tiers. */
export const PRICES = {
  apiRequest: 1 / 1e6,
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2 / 1e6,
  sqsRequest: 0.4 / 1e6,
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  logGb: 0.5,
  alarmMonth: 0.1,
  metricMonth: 0.3,
  dashboardMonth: 3,
  scheduleCall: 1 / 1e6,
} as const;

const MONTH_MINUTES = 60 * 24 * 30;
/** What an installation without work asks of AWS in a month. */
export const HOUSEHOLD = {
  sweeps: MONTH_MINUTES,
  sweepSeconds: 1.5,
  /** Its log line and its metrics. */
  sweepLogBytes: 2_500,
  refreshes: 720,
  alarms: ALARMS.length,
  /**
   * Number of metric series. The sweep reports its gauges every hour. The other metrics cost only in hours with data.
   */
  metrics: { always: 15, atMost: 39 },
  // Three lanes, five pollers each, a long poll of twenty seconds.
  emptyReceives: 3 * 5 * 3 * MONTH_MINUTES,
} as const;

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUSEHOLD, PRICES } from '../../tools/bench/prices.ts';

const HOURS_A_MONTH = 720;
/** Calls of functions by an hour of checks and schedules, at most. */
const CALLS = 2_000;
/** A second of a function with 512 MB, ten write units, and a request each of the API, the queue and the schedule. */
const CALL_USD =
  0.5 * PRICES.lambdaGbSecond +
  PRICES.lambdaRequest +
  10 * PRICES.writeUnit +
  PRICES.apiRequest +
  PRICES.sqsRequest +
  PRICES.scheduleCall;

export interface Estimate {
  /** Number of resources by type, such as `AWS::Lambda::Function`. */
  readonly resources: Readonly<Record<string, number>>;
  /** Cost of one hour with all checks. */
  readonly usd: number;
  /** Cost of a month without checks, if nothing is removed. */
  readonly usdAMonth: number;
  readonly assumptions: string;
}

/** Estimates the cost of the templates in a folder that `cdk synth` wrote. */
export function estimate(folder: string): Estimate {
  const resources: Record<string, number> = {};
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.template.json'))) {
    const { Resources } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const { Type } of Object.values<{ Type: string }>(Resources))
      resources[Type] = (resources[Type] ?? 0) + 1;
  }
  const alarms = resources['AWS::CloudWatch::Alarm'] ?? 0;
  const dashboards = resources['AWS::CloudWatch::Dashboard'] ?? 0;
  const metrics = HOUSEHOLD.metrics.atMost;
  const usdAMonth =
    alarms * PRICES.alarmMonth +
    dashboards * PRICES.dashboardMonth +
    metrics * PRICES.metricMonth +
    HOUSEHOLD.emptyReceives * PRICES.sqsRequest;
  return {
    resources,
    usd: usdAMonth / HOURS_A_MONTH + CALLS * CALL_USD,
    usdAMonth,
    assumptions: `assumed: an hour, ${alarms} alarms, ${metrics} metrics, ${dashboards} dashboard, empty receives of the queues, ${CALLS} calls of functions; list prices of us-east-1 (November 2026) without free tiers`,
  };
}

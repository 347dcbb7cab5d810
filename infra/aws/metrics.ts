import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS, METRICS_NAMESPACE, type MetricId, SERVICE_DIMENSION } from '#shared/metrics';

/**
 * One series of our metrics, selected by the stack's name and the metric's own dimensions. It has no label, because
 * CloudWatch turns an alarm on a labelled metric into metric math, which stand-ins for AWS refuse.
 */
export function ownMetric(
  service: string,
  id: MetricId,
  {
    periodMinutes,
    dimensions,
  }: {
    readonly periodMinutes: number;
    readonly dimensions?: Readonly<Record<string, string>> | undefined;
  },
): Metric {
  const { name, statistic } = METRICS[id];
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: name,
    dimensionsMap: { [SERVICE_DIMENSION]: service, ...dimensions },
    statistic,
    period: Duration.minutes(periodMinutes),
  });
}

/**
 * All series of one of our metrics, for any number of dimension values. Alarms cannot use it, because they refuse a
 * search. In the search, values have quotation marks and names do not: CloudWatch documentation, "Search expression
 * syntax".
 */
export function ownSeries(service: string, id: MetricId, periodMinutes: number): MathExpression {
  const { name, dimensions, statistic } = METRICS[id];
  const schema = [METRICS_NAMESPACE, SERVICE_DIMENSION, ...dimensions].join(',');
  const search = `{${schema}} MetricName="${name}" ${SERVICE_DIMENSION}="${service}"`;
  return new MathExpression({
    expression: `SEARCH('${search}', '${statistic}', ${periodMinutes * 60})`,
    usingMetrics: {},
    label: '',
    period: Duration.minutes(periodMinutes),
  });
}

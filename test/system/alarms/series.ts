import type { Measurement } from '#inside/metrics/metrics.ts';
import { METRICS } from '#shared/metrics';
import type { AlarmSource } from '../../../infra/aws/alarm-list.ts';
import type { Statistic } from './cloudwatch.ts';

/** The name under which the data of an alarm's source is kept. */
export function seriesOf(source: AlarmSource): string {
  switch (source.kind) {
    case 'own':
      return ownSeries(source.metric, source.dimensions ?? {});
    case 'errors':
    case 'every-run-fails':
      return `errors ${source.of}`;
    case 'api-failures':
      return source.kind;
    default:
      return `${source.kind} ${source.lane}`;
  }
}

export function measuredSeries({ metric, dimensions }: Measurement): string {
  return ownSeries(metric, dimensions);
}

function ownSeries(metric: keyof typeof METRICS, dimensions: object): string {
  return [METRICS[metric].name, ...Object.values(dimensions)].join(' ');
}

/** How the source's values are put together, which `test/system/stack` holds the template against. */
export function statisticOf(source: AlarmSource): Statistic {
  if (source.kind === 'own') return METRICS[source.metric].statistic;
  if (source.kind === 'every-run-fails') return 'Minimum';
  return 'lane' in source ? 'Maximum' : 'Sum';
}

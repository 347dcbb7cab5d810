import { METRICS } from '#shared/metrics';
import { ALARMS, type AlarmDefinition, type AlarmSource, titleOf } from '../../../infra/aws/alarm-list.ts';

export const ALARMS_PAGE = 'docs/reference/alarms.md';

const BEGINNING = `# Alarms

Each alarm sends a mail to \`alarmEmail\`, with its heading in [the runbook](../operations/runbook.md). A period without data raises no alarm, unless the condition begins with "none". \`npm run reference\` writes this page from the deployed definitions.
`;

/** Builds the table of alarms from their definitions. */
export function alarmsPage(): string {
  const rows = ALARMS.map((alarm) => {
    const link = `[${titleOf(alarm)}](../operations/runbook.md#${anchorOf(alarm.heading)})`;
    return `| ${link} | \`${measureOf(alarm.source)}\` | ${conditionOf(alarm)} |`;
  });
  return `${BEGINNING}\n| alarm | measures | rings at |\n| - | - | - |\n${rows.join('\n')}\n`;
}

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}

function measureOf(source: AlarmSource): string {
  switch (source.kind) {
    case 'own': {
      const series = Object.entries(source.dimensions ?? {}).map(([key, value]) => ` ${key}=${value}`);
      return `${METRICS[source.metric].name}${series.join('')}`;
    }
    case 'dead-letters':
      return `dead letters, ${source.lane}`;
    case 'oldest-message':
      return `age of the oldest message, ${source.lane}`;
    case 'errors':
      return `errors of ${source.of}`;
    case 'every-run-fails':
      return `good runs of ${source.of}`;
    case 'api-failures':
      return "API Gateway's 5xx answers";
  }
}

function conditionOf(alarm: AlarmDefinition): string {
  const { missing, periods, breaching = periods, periodMinutes } = alarm;
  if (missing === 'silence') return `none for ${timeOf(periods * periodMinutes)}`;
  const each = timeOf(periodMinutes);
  const often = periods === 1 ? `within ${each}` : `in ${breaching} of ${periods} periods of ${each}`;
  return `${alarm.comparison === 'at-least' ? 'at least' : 'at most'} ${amountOf(alarm)}, ${often}`;
}

function amountOf({ source, threshold }: AlarmDefinition): string {
  if (source.kind === 'oldest-message') return timeOf(threshold / 60);
  const unit = source.kind === 'own' ? METRICS[source.metric].unit : 'Count';
  if (unit === 'Milliseconds') return timeOf(threshold / 60_000);
  return unit === 'Percent' ? `${threshold}%` : String(threshold);
}

function timeOf(minutes: number): string {
  const [count, noun] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

import { type Html, html, instant, weekday } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { dataTable } from './data-table.ts';
import { inSelection } from './selection-words.ts';

/**
 * Shows the days on which spending was stopped at least in part, with the reason. Absent if the report leaves out
 * stops.
 */
export function stopTable({ stopDays, selection, timeZone }: SpendReport): Html | undefined {
  if (!stopDays) return undefined;
  if (stopDays.length === 0)
    return html`<p class="muted" id="no-stop">No stop was recorded ${inSelection(selection)}.</p>`;
  return html`<details open>
<summary>Stops, marked in the chart</summary>
${dataTable({
  id: 'stops',
  label: 'Stops',
  caption: 'The end is the last time at which a sweep or this page saw the stop',
  columns: [{ words: 'Day' }, { words: 'From' }, { words: 'Seen until' }, { words: 'Why' }],
  rows: stopDays.map(({ day, fromMs, toMs, what }) => [
    weekday(day),
    instant(fromMs, timeZone),
    instant(toMs, timeZone),
    what,
  ]),
})}
</details>`;
}

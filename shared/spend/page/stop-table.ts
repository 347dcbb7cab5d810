import { type Html, html, instant, weekday } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import { inSelection } from './selection-words.ts';

/**
 * Shows the days on which spending was stopped at least in part, with the reason. Absent if the report leaves out
 * stops.
 */
export function stopTable({ stopDays, selection, timeZone }: SpendReport): Html | undefined {
  if (!stopDays) return undefined;
  if (stopDays.length === 0)
    return html`<p class="muted">No stop was recorded ${inSelection(selection)}.</p>`;
  return html`<details open>
<summary>Stops, marked in the chart</summary>
<div class="scroll" role="region" aria-label="Stops" tabindex="0"><table>
<caption>Times in ${timeZone}; the end is the last sweep that saw the stop</caption>
<thead><tr><th scope="col">Day</th><th scope="col">From</th><th scope="col">Seen until</th><th scope="col">Why</th></tr></thead>
<tbody>${stopDays.map(
    ({ day, fromMs, toMs, what }) =>
      html`<tr><th scope="row">${weekday(day)}</th><td>${instant(fromMs, timeZone)}</td><td>${instant(toMs, timeZone)}</td><td>${what}</td></tr>`,
  )}</tbody>
</table></div>
</details>`;
}

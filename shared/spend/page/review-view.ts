import { nameOfKey } from '#shared/crm';
import { counted, type Html, html, instant } from '#shared/kernel';
import { type ReviewLine, type ReviewPage, reviewLines } from '#shared/review';
import { readCursor } from '#shared/store';
import { type RefusedQuery, refusedQuery } from '../query-refusals.ts';
import type { Query } from '../selection.ts';
import { type Column, dataTable } from './data-table.ts';
import type { Shown } from './frame.ts';
import { label } from './labels.ts';
import { commandCode, type Links } from './links.ts';
import { homeLink, hubSpotLink, recordName, recordSearch } from './record-search.ts';

export interface ReviewList {
  readonly page: ReviewPage;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Shows findings that need a person's decision. Shows reasons and names of properties, but never values. */
export function reviewView(list: ReviewList, links: Links): Shown {
  const { page, nowMs, timeZone } = list;
  const lines = reviewLines(page.values);
  const table =
    lines.length === 0
      ? html`<p class="muted" id="none">Nothing needs review${page.next ? ' on this page' : ''}.</p>`
      : dataTable({
          id: 'findings',
          label: 'Needs review',
          caption: `${counted(lines.length, 'finding')} on this page, the most serious first`,
          columns: COLUMNS,
          rows: lines.map((line) => row(line, list, links)),
        });
  const more = page.next && links.to('review', { after: page.next }, { words: 'More findings' });
  return {
    heading: 'Review',
    of: instant(nowMs, timeZone),
    about: html`As of ${instant(nowMs, timeZone)} (${timeZone})`,
    nav: html`${links.to('spend', {}, { words: 'Credit spend' })}
${links.to('waiting', {}, { words: 'Waiting records' })}`,
    main: html`<section class="panel" aria-labelledby="review">
<h2 id="review">Needs your decision</h2>
<p>This page only reads. Decide on the record's card or on ${homeLink(links, "the app's home page in HubSpot") ?? html`the app's home page in HubSpot`}, which have buttons for it.
In a terminal, decide with ${commandCode(links, 'review accept ID')} or ${commandCode(links, 'review reject ID')}.</p>
${table}
${more ? html`<p class="pager">${more}</p>` : undefined}
</section>
${recordSearch(links)}`,
  };
}

const COLUMNS: readonly Column[] = [
  { words: 'Record' },
  { words: 'What' },
  { words: 'Since' },
  { words: 'Why' },
  { words: 'Properties' },
  { words: 'Id' },
];

function row(line: ReviewLine, { timeZone }: ReviewList, links: Links): (Html | string)[] {
  const name = nameOfKey(line.record.replace('/', '#'));
  const record = name
    ? html`${links.to('record', { type: name.objectType, id: name.id }, { words: recordName(name) })}<br>${hubSpotLink(name, links)}`
    : line.record;
  return [
    record,
    label(line.kind),
    instant(Date.parse(line.since), timeZone),
    line.reason,
    line.properties.join(', '),
    html`<code>${line.id}</code>`,
  ];
}

/** Reads `after`, which is a digit and the store's cursor. */
export function parseReview({
  after,
}: Query): { readonly kind: 'review'; readonly after?: string } | RefusedQuery {
  if (!after) return { kind: 'review' };
  if (/^[0-9]/.test(after) && (after.length === 1 || readCursor(after.slice(1))))
    return { kind: 'review', after };
  return refusedQuery('not-a-place', { parameter: 'after' });
}

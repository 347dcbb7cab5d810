import { nameOfKey } from '#shared/crm';
import { counted, figure, type Html, html } from '#shared/kernel';
import type { DearestRecords, RecordSpend } from '../dearest.ts';
import { type Selection, selectionQuery } from '../selection.ts';
import { type Column, dataTable } from './data-table.ts';
import type { Shown } from './frame.ts';
import { askerLabel, label } from './labels.ts';
import type { Links } from './links.ts';
import { picker } from './picker.ts';
import { hubSpotLink, recordName } from './record-search.ts';
import { inSelection, selectionWords } from './selection-words.ts';

export interface DearestList extends DearestRecords {
  readonly selection: Selection;
  /** Number of charges that were read. If `isMore`, older charges of the selection are left out. */
  readonly charges: number;
  readonly isMore: boolean;
  readonly today: string;
  readonly timeZone: string;
}

/** Shows the records that cost the most in a period, each with its charges and their reasons. */
export function dearestView(list: DearestList, links: Links): Shown {
  const { selection, today, timeZone } = list;
  const query = selectionQuery(selection);
  return {
    heading: 'Most expensive records',
    of: selectionWords(selection),
    about: html`${selectionWords(selection)} · days in ${timeZone}`,
    nav: html`${links.to('spend', query, { words: 'Credit spend' })}
${links.to('charges', query, { words: 'Charges' })}`,
    main: html`<section class="panel" aria-labelledby="dearest">
<h2 id="dearest">Most expensive records ${inSelection(selection)}</h2>
${picker({ selection, view: 'records', today, links })}
${list.isMore ? html`<p class="muted" id="newest-only">Only the newest ${counted(list.charges, 'charge')} are counted. To count all, choose fewer days.</p>` : undefined}
${table(list, links)}
${list.unnamedCredits > 0 ? html`<p class="muted" id="without-record">${counted(list.unnamedCredits, 'credit')} more were charged without a record, such as for a search.</p>` : undefined}
</section>`,
  };
}

function table(list: DearestList, links: Links): Html {
  const { records, moreRecords } = list;
  if (records.length === 0)
    return html`<p class="muted">No charge names a record ${inSelection(list.selection)}.</p>`;
  return dataTable({
    id: 'records',
    label: 'Records by credits',
    caption: `${counted(records.length, 'record')}, most expensive first${moreRecords > 0 ? `; ${figure(moreRecords)} more cost less` : ''}`,
    columns: COLUMNS,
    rows: records.map((record) => row(record, list, links)),
  });
}

const COLUMNS: readonly Column[] = [
  { words: 'Record' },
  { words: 'Credits', isNumber: true },
  { words: 'Charges', isNumber: true },
  { words: 'Asked for' },
  { words: 'Asked by' },
  { words: 'Rule', isTyped: true },
];

function row(
  { record, credits, count, purposes, rules, askers }: RecordSpend,
  list: DearestList,
  links: Links,
): (Html | string)[] {
  const name = nameOfKey(record);
  const words = name ? recordName(name) : record;
  const recordLink = name
    ? html`${links.to('record', { type: name.objectType, id: name.id }, { words })}<br>${hubSpotLink(name, links)}`
    : words;
  const linkWords = { words: figure(count), label: `${counted(count, 'charge')}: ${words}` };
  const charges = links.to('charges', { ...selectionQuery(list.selection), record }, linkWords);
  return [
    recordLink,
    figure(credits),
    charges,
    purposes.map(label).join(', '),
    askers.map(askerLabel).join(', '),
    rules.join(', '),
  ];
}

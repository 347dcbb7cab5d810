import { nameOfKey } from '#shared/crm';
import { counted, dayOf, figure, type Html, html, instant, shortDay } from '#shared/kernel';
import type { Charge, ChargePage } from '../charges.ts';
import type { Spend } from '../selected-spend.ts';
import { type Query, type Selection, selectionQuery } from '../selection.ts';
import { type Column, dataTable } from './data-table.ts';
import type { Shown } from './frame.ts';
import { askerLabel, label } from './labels.ts';
import type { Links } from './links.ts';
import { picker } from './picker.ts';
import { hubSpotLink, recordName } from './record-search.ts';
import { noCharge, selectionWords } from './selection-words.ts';

export interface ChargeList {
  readonly selection: Selection;
  /** Sum of the whole selection, not only of this page. `undefined` for one record, or for an unnamed asker. */
  readonly selected: Spend | undefined;
  /** Key of the record, if the list has the charges of one record. */
  readonly record: string | undefined;
  readonly page: ChargePage;
  /** True for all pages after the first. */
  readonly isLater: boolean;
  readonly today: string;
  readonly timeZone: string;
}

/** Shows a page of the charges that make up a figure. */
export function chargesView(list: ChargeList, links: Links): Shown {
  const { selection, selected, record, page, today } = list;
  const query = { ...selectionQuery(selection), record };
  const heading =
    selected === undefined
      ? `Charges of ${recordWords(record)}`
      : `Total: ${counted(selected.credits, 'credit')} in ${counted(selected.count, 'charge')}`;
  const more = record && html`<input type="hidden" name="record" value="${record}">`;
  return {
    heading: 'Charges',
    of: selectionWords(selection),
    about: html`${selectionWords(selection)} · days and times in ${list.timeZone}`,
    nav: html`${links.to('spend', selectionQuery(selection), { words: 'Credit spend' })}
${links.file('spend/charges.csv', query, 'Charges (CSV)')}
${links.file('spend/charges.json', query, 'Charges (JSON)')}`,
    main: html`<section class="panel" aria-labelledby="total">
<h2 id="total">${heading}</h2>
${picker({ selection, view: 'charges', today, links, more: more || undefined })}
${chargeTable(list, links)}
${pager(page, { query, links })}
</section>`,
  };
}

/** Shows charges with their records. */
export function chargeTable(
  {
    page: { charges, nextSeq },
    ...about
  }: Pick<ChargeList, 'page' | 'selection' | 'record' | 'isLater' | 'timeZone'>,
  links: Links,
): Html {
  if (charges.length === 0) {
    const none =
      nextSeq === undefined ? noCharge(about) : 'No charge in this part of the list. See the next page.';
    return html`<p class="muted" id="none">${none}</p>`;
  }
  return dataTable({
    id: 'charges',
    label: 'Charges',
    caption: `${counted(charges.length, 'charge')} on this page, newest first`,
    columns: COLUMNS,
    rows: charges.map((charge) => row(charge, about, links)),
  });
}

const COLUMNS: readonly Column[] = [
  { words: 'Booked at' },
  { words: 'Record' },
  { words: 'Question' },
  { words: 'Asked for' },
  { words: 'Asked by' },
  { words: 'Outcome' },
  { words: 'Credits', isNumber: true },
];

type About = Pick<ChargeList, 'timeZone'>;

function row(charge: Charge, about: About, links: Links): (Html | string)[] {
  const { atMs, day, operation, purpose, askedBy, questionKey = '', credits } = charge;
  const otherDay = day === dayOf(atMs, about.timeZone) ? undefined : html`<br>counts for ${shortDay(day)}`;
  return [
    html`${instant(atMs, about.timeZone)}${otherDay}`,
    recordCell(charge, links),
    html`${label(operation)}<br>${questionName(questionKey)}`,
    label(purpose),
    askerLabel(askedBy),
    outcomeWords(charge),
    figure(credits),
  ];
}

function recordCell({ record }: Charge, links: Links): Html {
  const name = record === undefined ? undefined : nameOfKey(record);
  if (!name) return html`no record`;
  const { objectType: type, id } = name;
  return html`${links.to('record', { type, id }, { words: recordName(name) })}<br>${hubSpotLink(name, links)}`;
}

/** Shows the first characters of a question's key. The commands accept them as the key. */
export function questionName(key: string): Html {
  return html`<code>${key.slice(0, 12)}</code>`;
}

function outcomeWords({ outcome, isResolved }: Charge): string {
  return isResolved ? 'In doubt, resolved as charged' : label(outcome);
}

function recordWords(record: string | undefined): string {
  if (record === undefined) return 'this asker';
  const name = nameOfKey(record);
  return name ? recordName(name) : 'one record';
}

function pager({ nextSeq }: ChargePage, { query, links }: { query: Query; links: Links }): Html | undefined {
  if (nextSeq === undefined) return undefined;
  return html`<p class="pager">${links.to('charges', { ...query, before: String(nextSeq) }, { words: 'Older charges' })}</p>`;
}

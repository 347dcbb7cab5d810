import { html } from '#shared/kernel';
import type { RefusedQuery } from '../query-refusals.ts';
import type { Shown } from './frame.ts';
import type { Links } from './links.ts';

const KINDS = {
  /** The address or the form is wrong. */
  refused: { title: 'Refused', about: 'This filter cannot be shown.' },
  /** The tables cannot be read. The problem says what to do. */
  unavailable: { title: 'Unavailable', about: 'The figures cannot be read now.' },
} as const;

/** Shows the problem. For a refused filter, also shows a link back, and its code and parameter for scripts. */
export function refusalView(refused: RefusedQuery | string, links: Links): Shown {
  const { kind, problem } =
    typeof refused === 'string' ? ({ kind: 'unavailable', problem: refused } as const) : refused;
  const { title, about } = KINDS[kind];
  const advice = html`<p><b>What to do:</b> go back to ${links.to('spend', {}, { words: 'this month' })}, and choose again.</p>`;
  return {
    heading: 'Credit spend',
    of: kind,
    about: html`${about}`,
    nav: links.to('spend', {}, { words: 'Credit spend' }),
    main: html`<section class="panel" aria-labelledby="${kind}">
<h2 id="${kind}">${title}</h2>
<p${typeof refused === 'string' ? undefined : html` data-code="${refused.code}" data-parameter="${refused.params.parameter}"`}>${problem}</p>
${kind === 'refused' ? advice : undefined}
</section>`,
  };
}

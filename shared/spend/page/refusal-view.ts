import { html } from '#shared/kernel';
import type { Shown } from './frame.ts';
import type { Links } from './links.ts';

/** Shows the error in the address or the form, with a link back. */
export function refusalView(problem: string, links: Links): Shown {
  return {
    heading: 'Credit spend',
    of: 'refused',
    about: html`This filter cannot be shown.`,
    nav: links.to('spend', {}, { words: 'Credit spend' }),
    main: html`<section class="panel" aria-labelledby="refused">
<h2 id="refused">Refused</h2>
<p>${problem}</p>
<p><b>What to do:</b> go back to ${links.to('spend', {}, { words: 'this month' })}, and choose again.</p>
</section>`,
  };
}

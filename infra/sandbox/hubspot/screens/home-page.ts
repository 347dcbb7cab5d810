import { html } from '../../../../shared/kernel/index.ts';
import { VIEWER } from '../portal.ts';
import { appHtml, screenResponse } from './frame.ts';
import type { Visit } from './visit.ts';

/** The app's home page. */
export function homePage({ portal, actions }: Visit): Response {
  const { portalId } = portal.state.settings;
  const main = actions.script
    ? html`<section class="panel stack" aria-label="The app's home page">${appHtml('home', { portalId, location: 'pages', viewer: VIEWER })}</section>`
    : html`<p class="panel muted">No home page of an app was given to this stand-in.</p>`;
  return screenResponse(portal, { title: 'Enrichment', place: 'home', main });
}

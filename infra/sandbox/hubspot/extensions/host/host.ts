/**
 * Simulates HubSpot's page around a card or the app's home page. It runs in the browser, before the app's own code.
 * It sets the globals that the app expects, and draws the app's output as plain HTML.
 */
import { createRemoteRoot } from '@remote-ui/core';
import { createRoot } from '@remote-ui/react';
import { draw } from './draw.ts';

interface FetchOptions {
  readonly method?: string;
  readonly body?: object;
}

/** Data that the server put into the page, beside the script. */
const page = JSON.parse(document.querySelector('#page')?.textContent ?? '{}');
const card = document.querySelector<HTMLElement>('#card');
const properties = document.querySelector<HTMLElement>('#properties');

async function hsFetch(url: string, { method = 'GET', body }: FetchOptions = {}): Promise<Response> {
  const wanted = { url, method, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch('/_sandbox/fetch', { method: 'POST', body: JSON.stringify(wanted) });
  const { status, text } = await answer.json();
  return new Response(text, { status });
}

/** Copies the server's current values into the page. @returns whether they differ from the values on the page */
async function refreshObjectProperties(): Promise<boolean> {
  const answer = await fetch(location.href);
  const shown = new DOMParser()
    .parseFromString(await answer.text(), 'text/html')
    .querySelector('#properties');
  if (!shown || !properties || shown.innerHTML === properties.innerHTML) return false;
  properties.replaceChildren(...shown.children);
  return true;
}

/** Interval at which the page checks whether the record was changed elsewhere. */
const LOOK_MS = 2_000;

/** Shows changes by others soon after they happen. The card does not update by itself, so the page offers a reload. */
async function watch(): Promise<void> {
  const changed = document.querySelector('#changed');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (document.hidden || !(await refreshObjectProperties()) || !changed || changed.hasChildNodes())
      continue;
    const link = Object.assign(document.createElement('a'), {
      href: location.href,
      textContent: 'Reload the page',
    });
    changed.append('Values of this record have changed. ', link, ' to let the card look again.');
  }
}

/** Implements `hubspot.extend`: draws the card's tree again after each change. */
function extend(render: (api: object) => React.ReactElement): void {
  let isDue = false;
  const root = createRemoteRoot(() => {
    if (isDue) return;
    isDue = true;
    // The tree contains the change only after this callback has returned.
    queueMicrotask(() => {
      isDue = false;
      if (card) draw(root, card);
    });
  });
  const context = {
    location: page.location,
    ...(page.id !== undefined && { crm: { objectId: Number(page.id), objectTypeId: page.objectTypeId } }),
    portal: { id: page.portalId, timezone: 'UTC' },
    user: { id: page.viewer.userId, email: page.viewer.userEmail },
  };
  const actions = {
    refreshObjectProperties: () => void refreshObjectProperties(),
    copyTextToClipboard: (text: string) => navigator.clipboard.writeText(text),
  };
  const reactRoot = createRoot(root);
  const renderPage = () => reactRoot.render(render({ context, actions }));
  renderPage();
  addEventListener('hashchange', renderPage);
  root.mount();
}

/** The part of the address after `#` is the path of the app's page. */
function useAppPageLocation() {
  return { path: location.hash.slice(1) || '/', params: {} };
}

/** HubSpot searches with the rights of the person at the screen. */
function fetchCrmSearch(request: object): Promise<Response> {
  return fetch('/_sandbox/search', { method: 'POST', body: JSON.stringify(request) });
}

const hsWorkerAPI = { useAppPageLocation, fetchCrmSearch };
Object.assign(self, {
  __HUBSPOT_EXTENSION_WORKER__: true,
  extend_V2: extend,
  hsFetch,
  hsWorkerAPI,
  logger: console,
});
if (properties) void watch();

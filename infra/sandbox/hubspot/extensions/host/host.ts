/**
 * HubSpot's page around a card, as far as a small page can play it: runs in the browser, before the card's own code.
 * It gives the card the globals of its worker, and draws what the card renders as plain HTML.
 */
import { createRemoteRoot } from '@remote-ui/core';
import { createRoot } from '@remote-ui/react';
import { draw } from './draw.ts';

interface FetchOptions {
  readonly method?: string;
  readonly body?: object;
}

/** What the page tells of itself, beside its script. */
const page = JSON.parse(document.querySelector('#page')?.textContent ?? '{}');
const card = document.querySelector<HTMLElement>('#card');
const properties = document.querySelector<HTMLElement>('#properties');

async function hsFetch(url: string, { method = 'GET', body }: FetchOptions = {}): Promise<Response> {
  const wanted = { url, method, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch('/_sandbox/fetch', { method: 'POST', body: JSON.stringify(wanted) });
  const { status, text } = await answer.json();
  return new Response(text, { status });
}

async function refreshObjectProperties(): Promise<void> {
  const answer = await fetch(`/_sandbox/records?kind=${page.objectType}`);
  const { records } = await answer.json();
  const record = records.find(({ id }: { id: string }) => id === page.id);
  properties?.replaceChildren(
    ...Object.entries<string>(record?.properties ?? {}).map(([name, value]) => {
      const row = document.createElement('tr');
      for (const text of [name, value])
        row.append(Object.assign(document.createElement('td'), { textContent: text }));
      row.dataset['property'] = name;
      return row;
    }),
  );
}

/** `hubspot.extend`: the card's tree is drawn anew whenever something in it has changed. */
function extend(render: (api: object) => React.ReactElement): void {
  let isDue = false;
  const root = createRemoteRoot(() => {
    if (isDue) return;
    isDue = true;
    // What has changed is in the tree only after this call.
    queueMicrotask(() => {
      isDue = false;
      if (card) draw(root, card);
    });
  });
  const context = {
    location: page.location,
    crm: { objectId: Number(page.id), objectTypeId: page.objectTypeId },
    portal: { id: page.portalId, timezone: 'UTC' },
    user: { id: 1_001, email: 'somebody@portal.example' },
  };
  const actions = { refreshObjectProperties: () => void refreshObjectProperties() };
  createRoot(root).render(render({ context, actions }));
  root.mount();
}

Object.assign(self, { __HUBSPOT_EXTENSION_WORKER__: true, extend_V2: extend, hsFetch, logger: console });
void refreshObjectProperties();

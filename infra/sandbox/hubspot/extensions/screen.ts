import { objectTypeIdOf, pluralName } from '../objects/object-types.ts';
import { findRecord } from '../objects/records.ts';
import type { Portal } from '../portal.ts';

/** Gives the code of the page and of the app's card, bundled for a browser. */
export type Script = () => Promise<string>;

export const SCREEN = '/_sandbox/screen/';
const SCRIPT = `${SCREEN}card.js`;

/** A record's page with the app's card: `/_sandbox/screen/contacts/123`, with `?sidebar` in its narrow place. */
export async function screenResponse(
  portal: Portal,
  url: URL,
  script: Script | undefined,
): Promise<Response> {
  if (!script) return new Response('No card was given to this stand-in.', { status: 404 });
  if (url.pathname === SCRIPT) return typed('text/javascript', await script());
  const [type = '', id = ''] = url.pathname.slice(SCREEN.length).split('/');
  const typeId = objectTypeIdOf(type);
  if (!typeId || !findRecord(portal, { typeId, id })) return new Response('No such record.', { status: 404 });
  const location = url.searchParams.has('sidebar') ? 'crm.record.sidebar' : 'crm.record.tab';
  const { portalId } = portal.state.settings;
  const page = { objectType: pluralName(typeId), objectTypeId: typeId, id, portalId, location };
  return typed('text/html', html(JSON.stringify(page).replaceAll('<', '\\u003c'), location));
}

function typed(type: string, body: string): Response {
  return new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } });
}

function html(page: string, location: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A record in the HubSpot stand-in</title>
<style>${STYLE}</style>
</head>
<body class="${location.endsWith('sidebar') ? 'narrow' : 'wide'}">
<main><h1>A record in the stand-in</h1><table><tbody id="properties"></tbody></table></main>
<aside aria-label="Enrichment"><div id="card"></div></aside>
<script type="application/json" id="page">${page}</script>
<script type="module" src="${SCRIPT}"></script>
</body>
</html>
`;
}

const STYLE = `
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; display: grid; gap: 2rem; color: #213343; }
body.wide { grid-template-columns: 1fr 2fr; } body.narrow { grid-template-columns: 1fr 22rem; }
h1 { font-size: 1.2rem; } h2, h3 { font-size: 1rem; margin: 0; } p { margin: 0; }
table { border-collapse: collapse; } td, th { border: 1px solid #cbd6e2; padding: .25rem .5rem; text-align: left; }
main td { word-break: break-all; } aside { overflow-x: auto; }
.Flex { display: flex; flex-direction: column; align-items: flex-start; gap: .5rem; }
.Flex.row { flex-direction: row; flex-wrap: wrap; }
.Alert, .EmptyState, .ErrorState { border: 1px solid #7fd1de; background: #e5f5f8; padding: 1rem; }
.Alert.warning { border-color: #fae0b5; background: #fef8f0; } .Alert.success { border-color: #bfe7db; background: #e5f8f6; }
.Alert.error, .Alert.danger { border-color: #fbbfbf; background: #fdedee; }
button { font: inherit; padding: .3rem .8rem; border: 1px solid #b8400a; background: #fff; color: #b8400a; }
button.primary { background: #b8400a; color: #fff; } button:disabled { opacity: .5; }
.StatusTag { border-radius: 3px; padding: 0 .4rem; background: #eaf0f6; } .StatusTag.success { background: #bfe7db; }
`;

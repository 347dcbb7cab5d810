import { html } from '../../../../shared/kernel/index.ts';
import { refusalOf } from '../../own-pages-only.ts';
import { findRecord } from '../records.ts';
import { objectTypeIdOf, type Portal } from '../state.ts';

import type { AppPlace, SandboxActions } from '../verbs.ts';
import {
  type RecordVisit,
  SCREENS,
  screenResponse,
  seeOther,
  styleResponse,
  type TypeVisit,
  typed,
  type Visit,
} from './frame.ts';

import {
  associateFromForm,
  createRecordFromForm,
  enrollFromForm,
  homePage,
  listPage,
  newRecordPage,
  propertyPage,
  recordPage,
  saveProperty,
  workflowPage,
} from './pages.ts';

type Page<V> = (visit: V) => Response | undefined | Promise<Response | undefined>;

const PLACE_PAGES: Readonly<Record<string, Page<Visit>>> = {
  'GET workflow': workflowPage,
  'GET style.css': styleResponse,
  'GET home': homePage,
  'GET card.js': ({ actions }) => scriptResponse(actions, 'card'),
  'GET home.js': ({ actions }) => scriptResponse(actions, 'home'),
};

const TYPE_PAGES: Readonly<Record<string, Page<TypeVisit>>> = {
  'GET ': listPage,
  'GET new': (visit) => newRecordPage(visit),
  'POST new': createRecordFromForm,
};

const RECORD_PAGES: Readonly<Record<string, Page<RecordVisit>>> = {
  'GET ': (visit) => recordPage(visit),
  'GET property': (visit) => propertyPage(visit),
  'POST property': saveProperty,
  'POST associate': associateFromForm,
  'POST enroll': enrollFromForm,
};

/** Serves the account's pages, for a person with a browser. Returns `undefined` if the path is not a page. */
export async function screenFor(
  request: Request,
  { portal, actions }: Pick<Visit, 'portal' | 'actions'>,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (pathname !== '/' && pathname !== SCREENS && !pathname.startsWith(`${SCREENS}/`)) return undefined;
  const refusal = refusalOf(request, { writes: request.method !== 'GET' });
  if (refusal) return refusal;
  const path = pathname.slice(SCREENS.length + 1);
  if (path === '') return seeOther('contacts');
  const main = html`<p><a href="${SCREENS}/contacts">To the contacts</a></p>`;
  return (
    (await answer(request, { portal, actions, path })) ??
    screenResponse(portal, { title: 'There is no such page', place: 'contacts', main, status: 404 })
  );
}

async function answer(
  request: Request,
  { portal, actions, path }: { portal: Portal; actions: SandboxActions; path: string },
): Promise<Response | undefined> {
  const { method } = request;
  const form = method === 'POST' ? new URLSearchParams(await request.text()) : undefined;
  const visit = { portal, actions, form, query: new URL(request.url).searchParams };
  const [first = '', second = '', third = '', ...more] = path.split('/');
  const typeId = objectTypeIdOf(first);
  if (!typeId) return pageOf(PLACE_PAGES, `${method} ${path}`)?.(visit);
  const record = findRecord(portal, { typeId, id: second });
  if (record?.archivedAt === null && more.length === 0)
    return pageOf(RECORD_PAGES, `${method} ${third}`)?.({ ...visit, typeId, record });
  return third === '' ? pageOf(TYPE_PAGES, `${method} ${second}`)?.({ ...visit, typeId }) : undefined;
}

async function scriptResponse({ script }: SandboxActions, place: AppPlace): Promise<Response | undefined> {
  return script && typed('text/javascript', await script(place));
}

function pageOf<V>(pages: Readonly<Record<string, Page<V>>>, key: string): Page<V> | undefined {
  return Object.hasOwn(pages, key) ? pages[key] : undefined;
}

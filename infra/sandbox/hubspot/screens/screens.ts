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
import { importFile, importPage, sampleFile } from './import-page.ts';
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

/** Maximum size of a form: a file of 1 MB and the form around it. */
const MOST_BYTES = 1_010_000;
const MOST_BYTES_READ = 50_000_000;

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
  'GET import': (visit) => importPage(visit),
  'POST import': importFile,
  'GET sample.csv': sampleFile,
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
  return (
    (await answer(request, { portal, actions, path })) ??
    failurePage(portal, { title: 'There is no such page', status: 404 })
  );
}

async function answer(
  request: Request,
  { portal, actions, path }: { portal: Portal; actions: SandboxActions; path: string },
): Promise<Response | undefined> {
  const { method } = request;
  const form = method === 'POST' ? await formOf(request) : undefined;
  if (form === 'too-large')
    return failurePage(portal, { title: 'The file is larger than 1 MB', status: 413 });
  if (form === 'no-form') return failurePage(portal, { title: 'This is no form', status: 400 });
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

function failurePage(portal: Portal, { title, status }: { title: string; status: number }): Response {
  const main = html`<p><a href="${SCREENS}/contacts">To the contacts</a></p>`;
  return screenResponse(portal, { title, place: 'contacts', main, status });
}

/** Reads a form, and stores no more bytes than a form may have. */
async function formOf({ body, headers }: Request): Promise<FormData | 'too-large' | 'no-form'> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
    // The rest is read too, because a browser shows the answer only after it has sent the whole form.
    if (size > MOST_BYTES_READ) break;
  }
  if (size > MOST_BYTES) return 'too-large';
  const type = headers.get('content-type') ?? '';
  try {
    return await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData();
  } catch (error) {
    // Node throws this error for a body that has neither of the two form types.
    if (error instanceof TypeError) return 'no-form';
    throw error;
  }
}

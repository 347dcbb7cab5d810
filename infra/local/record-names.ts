import { createHash, timingSafeEqual } from 'node:crypto';
import { type Crm, nameOfKey, OBJECT_TYPES, type ObjectType, recordKey } from '#shared/crm';
import { parseJson } from '#shared/kernel';
import type { GatewayEvent, GatewayResult } from '#shared/lambda';
import { recordKeysSchema } from './schemas.ts';

interface NameSources {
  readonly crm: () => Promise<Pick<Crm, 'read'>>;
  /** Secret of this start. Only its printed address has it, so no other user of the machine can read names. */
  readonly secret: string;
}

type Report = (event: GatewayEvent) => Promise<GatewayResult>;

/** Puts names on the spend page: a script asks for them with the secret. Nothing stores or logs them. */
export function withRecordNames(report: Report, sources: NameSources): Report {
  return async (event) =>
    event.rawPath === '/spend/names' ? namesFor(event, sources) : named(await report(event));
}

/** Part of the page's address that hands the secret to the script. Browsers do not send it. */
export function namesFragment(secret: string): string {
  return `#names=${secret}`;
}

const SCRIPT = `(async () => {
  const given = /^#names=(\\w+)/.exec(location.hash)?.[1];
  if (given) {
    sessionStorage.setItem('names', given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  const secret = sessionStorage.getItem('names');
  const cells = [...document.querySelectorAll('[data-record]')];
  if (!secret || cells.length === 0) return;
  const body = JSON.stringify([...new Set(cells.map(({ dataset }) => dataset.record))]);
  const headers = { authorization: 'Bearer ' + secret };
  const response = await fetch('/spend/names', { method: 'POST', headers, body });
  const names = response.ok ? await response.json() : {};
  for (const cell of cells) {
    const name = names[cell.dataset.record];
    if (name) [cell.title, cell.textContent] = [cell.textContent, name];
  }
})();`;

const ONLY_SCRIPT = `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'; connect-src 'self'`;

function named(result: GatewayResult): GatewayResult {
  const { headers, body } = result;
  if (!headers['content-type']?.startsWith('text/html')) return result;
  const policy = `${headers['content-security-policy']}; ${ONLY_SCRIPT}`;
  return {
    ...result,
    headers: { ...headers, 'content-security-policy': policy },
    body: body.replace('</body>', () => `<script>${SCRIPT}</script>\n</body>`),
  };
}

async function namesFor(event: GatewayEvent, { crm, secret }: NameSources): Promise<GatewayResult> {
  if (event.requestContext.http.method !== 'POST') return json(405, {});
  if (!isSame(event.headers['authorization'] ?? '', `Bearer ${secret}`)) return json(403, {});
  const asked = recordKeysSchema.safeParse(parseJson(Buffer.from(event.body ?? '', 'base64').toString()));
  if (!asked.success) return json(400, {});
  const records = asked.data.flatMap((key) => nameOfKey(key) ?? []);
  const port = await crm();
  const found = OBJECT_TYPES.map(async (objectType) => {
    const ids = records.filter((record) => record.objectType === objectType).map(({ id }) => id);
    if (ids.length === 0) return [];
    const [name, otherwise] = NAME_PROPERTIES[objectType];
    const reading = await port.read({ objectType, ids, properties: [...name, otherwise] });
    return [...reading.records].map(([id, { properties }]) => {
      const words = name.flatMap((property) => properties[property]?.trim().replace(/^null$/i, '') || []);
      return [recordKey({ objectType, id }), words.join(' ') || properties[otherwise]];
    });
  });
  return json(200, Object.fromEntries((await Promise.all(found)).flat()));
}

/** Parts of the name, and a property that stands in for them. */
const NAME_PROPERTIES: Readonly<Record<ObjectType, readonly [name: readonly string[], otherwise: string]>> = {
  contacts: [['firstname', 'lastname'], 'email'],
  companies: [['name'], 'domain'],
};

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

function json(statusCode: number, value: object): GatewayResult {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return { statusCode, headers, body: JSON.stringify(value) };
}

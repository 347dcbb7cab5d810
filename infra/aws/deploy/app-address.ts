import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../project-root.ts';

/** The files of the HubSpot app that name the address of the installation. */
export const ADDRESSED_FILES = [
  'app-hsmeta.json',
  'cards/address.ts',
  'webhooks/webhooks-hsmeta.json',
  'workflow-actions/enrich-record-hsmeta.json',
] as const;

const APP = join(PROJECT_ROOT, 'infra/hubspot-app/src/app');
const ADDRESS = /ADDRESS = '([^']+)'/;

/**
 * Writes the webhook's URL into the files of the HubSpot app, in place of the one that was there.
 * @returns whether anything was changed.
 * @throws Error where the files do not name one address.
 */
export function writeAddress(address: string, folder = APP): boolean {
  const texts = ADDRESSED_FILES.map((name) => {
    const path = join(folder, name);
    return { path, text: readFileSync(path, 'utf8') };
  });
  const [, known] = ADDRESS.exec(texts.map(({ text }) => text).join('\n')) ?? [];
  const strange = texts.find(({ text }) => known === undefined || !text.includes(known));
  if (known === undefined || strange)
    throw new Error(`${strange?.path} does not name the address that cards/address.ts has: ${known}.`);
  if (known === address) return false;
  for (const { path, text } of texts) writeFileSync(path, text.replaceAll(known, address));
  return true;
}

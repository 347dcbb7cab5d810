import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Policy } from '#shared/field-policy';
import { writeRuleSubscriptions } from '../../rule-subscriptions.ts';
import { PROJECT_ROOT } from '../names.ts';

/** Files of the HubSpot app that contain the installation's address. */
export const ADDRESSED_FILES = [
  'app-hsmeta.json',
  'cards/address.ts',
  'webhooks/webhooks-hsmeta.json',
  'workflow-actions/enrich-record-hsmeta.json',
] as const;

const APP = join(PROJECT_ROOT, 'infra/hubspot-app/src/app');
const ADDRESS = /ADDRESS = '([^']+)'/;

/**
 * Writes the address and the subscriptions into the files of the HubSpot app.
 * @returns lines for the person who deploys. Empty if the app is up to date.
 */
export function writeApp(
  { address, whom }: { address: string; whom: Policy['whom'] },
  folder = APP,
): readonly string[] {
  const isMoved = writeAddress(address, folder);
  const { added, removed } = writeRuleSubscriptions({ whom }, join(folder, 'webhooks/webhooks-hsmeta.json'));
  const changes = [
    ...(added.length > 0 ? [`added: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed: ${removed.join(', ')}`] : []),
  ];
  return [
    ...(isMoved ? ['It is written into infra/hubspot-app.'] : []),
    ...(changes.length > 0
      ? [
          `The webhook subscriptions in infra/hubspot-app have changed with the policy's rules (${changes.join('; ')}). Upload the app: HubSpot does not report these changes before.`,
        ]
      : []),
  ];
}

/**
 * Replaces the webhook's URL in the files of the HubSpot app.
 * @returns whether anything was changed.
 * @throws Error if the files name different addresses.
 */
function writeAddress(address: string, folder: string): boolean {
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

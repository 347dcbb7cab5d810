import { relative } from 'node:path';
import { OBJECT_TYPES } from '#shared/crm';
import type { Policy } from '#shared/field-policy';
import { counted, figure } from '#shared/kernel';
import { HUBSPOT_URL } from '../doctor/access-checks.ts';
import type { Check } from '../doctor/check.ts';
import type { LocalSettings } from './settings.ts';
import type { Sandbox, Vendors } from './vendors.ts';

interface Started {
  readonly settings: LocalSettings;
  readonly policy: Policy;
  /** Data folder. */
  readonly path: string;
  readonly installedAtMs: number;
  /** Address that receives webhooks. */
  readonly publicUrl: string;
  readonly url: string;
  readonly vendors: Pick<Vendors, 'sandbox'>;
  readonly logFile: string;
  /** Warnings for a person. */
  readonly notes: readonly Check[];
  /** Results of the checks. Present only with the real services. */
  readonly checked?: Checked | undefined;
}

/** Results of the checks before the start. */
export interface Checked {
  readonly portalId: string;
  readonly notes: readonly Check[];
  /** Credits that the budgets leave for new records. */
  readonly leftCredits: number;
}

/**
 * Lines for a person to read before the start. They show whether the services are real, the account, the budget, and
 * the records and properties in scope.
 */
export function bannerOf(started: Started): string[] {
  const { settings, policy, path, publicUrl, url, vendors, logFile } = started;
  const rows: [name: string, text: string][] = [
    ...(settings.real ? realRows(started) : []),
    ...(vendors.sandbox ? standInRows(vendors.sandbox) : []),
    ['Policy', `${shortPath(settings.policyFile)}, version ${policy.version}`],
    ['Spend', `${url}/spend   (also /spend.json and /spend.csv)`],
    ['Webhooks', settings.real && !settings.real.publicUrl ? NO_WEBHOOKS : publicUrl],
    ['Data', `${path}, log in ${logFile}`],
  ];
  const notes = started.notes.map(({ name, seen, advice = '' }) => `Note on ${name}: ${seen} (${advice}).`);
  return [
    settings.real ? REAL_SERVICES : STAND_INS,
    ...rows.map(([name, text]) => `  ${name.padEnd(13)} ${text}`),
    ...notes,
    '',
  ];
}

export const REAL_SERVICES = 'REAL services: credits are spent, and HubSpot is written to.';
const STAND_INS =
  'STAND-INS: both services are simulated here; no real service is called and no credit is spent.';
const NO_WEBHOOKS = 'none reach this process (WEBHOOK_PUBLIC_URL): new records are looked for every 15 s';

/** Relative path if the file is in the current folder, otherwise the full path. */
function shortPath(file: string): string {
  const short = relative('', file);
  return short.startsWith('..') ? file : short;
}

function standInRows({ hubSpotUrl, dataServiceUrl }: Sandbox): [string, string][] {
  return [
    ['HubSpot', `${hubSpotUrl}   (create, import and edit records in a browser)`],
    ['Data service', dataServiceUrl],
  ];
}

function realRows({ settings: { real }, policy, checked, installedAtMs }: Started): [string, string][] {
  if (!real || !checked) return [];
  const written = OBJECT_TYPES.map((type) => {
    const properties = policy.fields[type].filter(({ write }) => write !== 'never');
    return `${new Set(properties.map(({ property }) => property)).size} properties of ${type}`;
  });
  return [
    ['HubSpot', `account ${checked.portalId} at ${real.hubSpotBaseUrl ?? HUBSPOT_URL}`],
    ['Data service', real.dataServiceBaseUrl],
    [
      'Budget',
      `${counted(real.creditsPerDay, 'credit')} a day (CREDITS_PER_DAY); ${figure(checked.leftCredits)} may be spent now`,
    ],
    ['Touches', `${written.join(' and ')}, as the policy says, and enrichment_*, which it creates`],
    [
      'Of',
      `records created since ${new Date(installedAtMs).toISOString()}, and records that a person requests`,
    ],
  ];
}

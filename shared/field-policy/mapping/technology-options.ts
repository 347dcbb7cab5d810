import { wordsOf } from '#shared/identity/fold.ts';

// One tool has several names, and HubSpot's `web_technologies` has the older ones. A line holds names of the same tool.
const SAME: readonly (readonly string[])[] = [
  ['Amazon Web Services', 'AWS'],
  ['Google Analytics', 'Google Universal Analytics', 'Google Analytics 4'],
  ['Google Cloud', 'Google Cloud Platform', 'GCP'],
  ['Google Workspace', 'G Suite', 'Google Apps', 'Google Apps for Business'],
  ['Microsoft Azure', 'Azure', 'Windows Azure'],
  ['Microsoft Dynamics', 'Microsoft Dynamics 365', 'Dynamics CRM', 'Microsoft Dynamics CRM'],
  ['Microsoft 365', 'Office 365', 'Microsoft Office 365', 'Office 365 Mail', 'Microsoft Exchange Online'],
  ['Salesforce', 'Salesforce.com', 'Salesforce CRM'],
  ['Zoho CRM', 'Zoho'],
];

const linesByName = new Map(SAME.flatMap((names) => names.map((name) => [keyOf(name), names.map(keyOf)])));

/** Every way to write a tool's name, without spaces: `Cloudflare` is HubSpot's `cloud_flare`. */
export function technologyKeys(name: string): readonly string[] {
  const key = keyOf(name);
  return linesByName.get(key) ?? [key];
}

function keyOf(name: string): string {
  return wordsOf(name).join('');
}

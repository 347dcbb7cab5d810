import type { DefinedOption } from '#shared/crm';
import { wordsOf } from '#shared/identity';
import { industryOption } from './industry-options.ts';

/**
 * Finds the option for a text: by value, by label, by the words of the value, or by the tables of industries,
 * seniorities and technologies. @returns the option's internal value; `undefined` if the account has no such option.
 */
export function matchOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const options = defined.filter(({ hidden }) => !hidden);
  const words = wordsOf(text).join(' ');
  const joined = wordsOf(text).join('');
  const tableValues = [industryOption(text), SENIORITIES.get(words)];
  // Words are compared without spaces, because HubSpot's option for `Cloudflare` is `cloud_flare`.
  const tools = TOOLS.get(joined) ?? [joined];
  const match =
    options.find(({ value }) => value === text) ??
    options.find(({ label }) => wordsOf(label).join(' ') === words && words !== '') ??
    options.find(({ value }) => wordsOf(value).join(' ') === words && words !== '') ??
    options.find(({ value }) => tableValues.includes(value)) ??
    options.find(({ label, value }) =>
      [label, value].some((name) => words !== '' && tools.includes(wordsOf(name).join(''))),
    );
  return match?.value;
}

/** Smallest share of common words between an option and a text. */
const MIN_LIKENESS = 0.5;

/** Returns the label of the most similar option, as a hint for a person. The option is never written. */
export function nearestOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const words = new Set(wordsOf(text).map(stemOf));
  const [nearest] = defined
    .filter(({ hidden }) => !hidden)
    .map(({ label, value }) => ({ label: label || value, likeness: likeness(words, label || value) }))
    .filter((one) => one.likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness);
  return nearest?.label;
}

/** Computes twice the common words divided by all words: 1 if all words are equal, 0 if none are. */
function likeness(words: ReadonlySet<string>, label: string): number {
  const others = new Set(wordsOf(label).map(stemOf));
  return (2 * words.intersection(others).size) / Math.max(1, words.size + others.size);
}

/** Returns the first letters, which are the same for `manufacturing`, `manufacture` and `manufacturers`. */
function stemOf(word: string): string {
  return word.slice(0, 7);
}

// Maps the vendor's labels (documented: C-Team, C-Suite, VP, Director, Manager, Senior, Staff, Intern) to the internal
// values of HubSpot's `hs_seniority`. Labels with the same spelling need no entry.
const SENIORITIES: ReadonlyMap<string, string> = new Map([
  ['c team', 'executive'],
  ['c suite', 'executive'],
  ['c level', 'executive'],
  ['vice president', 'vp'],
  ['head', 'director'],
  ['staff', 'employee'],
  ['intern', 'entry'],
  ['founder', 'owner'],
]);

/** The vendor's documented labels. */
export const KNOWN_SENIORITIES = ['C-Team', 'VP', 'Director', 'Manager', 'Senior', 'Staff', 'Intern'];

// A tool may have several names, and HubSpot's `web_technologies` has older names. Each entry has the names of one
// tool.
const TOOLS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['Amazon Web Services', 'AWS'],
    ['Google Analytics', 'Google Universal Analytics', 'Google Analytics 4'],
    ['Google Cloud', 'Google Cloud Platform', 'GCP'],
    ['Google Workspace', 'G Suite', 'Google Apps', 'Google Apps for Business'],
    ['Microsoft Azure', 'Azure', 'Windows Azure'],
    ['Microsoft Dynamics', 'Microsoft Dynamics 365', 'Dynamics CRM', 'Microsoft Dynamics CRM'],
    ['Microsoft 365', 'Office 365', 'Microsoft Office 365', 'Office 365 Mail', 'Microsoft Exchange Online'],
    ['Salesforce', 'Salesforce.com', 'Salesforce CRM'],
    ['Zoho CRM', 'Zoho'],
  ].flatMap((names) => {
    const joined = names.map((name) => wordsOf(name).join(''));
    return joined.map((name) => [name, joined] as const);
  }),
);

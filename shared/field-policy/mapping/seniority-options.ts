import { wordsOf } from '#shared/identity/fold.ts';

// The vendor's labels (its documents name C-Team, C-Suite, VP, Director, Manager, Senior, Staff, Intern) against the
// internal values of HubSpot's `hs_seniority`. Labels that are spelled alike need no line.
const OPTIONS: Readonly<Record<string, string>> = {
  'c team': 'executive',
  'c suite': 'executive',
  'c level': 'executive',
  'vice president': 'vp',
  head: 'director',
  staff: 'employee',
  intern: 'entry',
  founder: 'owner',
};

/** The vendor's labels, as its documents give them. */
export const KNOWN_SENIORITIES = ['C-Team', 'VP', 'Director', 'Manager', 'Senior', 'Staff', 'Intern'];

/** HubSpot's internal value for a seniority label; `undefined` for labels without a line. */
export function seniorityOption(label: string): string | undefined {
  const key = wordsOf(label).join(' ');
  return Object.hasOwn(OPTIONS, key) ? OPTIONS[key] : undefined;
}

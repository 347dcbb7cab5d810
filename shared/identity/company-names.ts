import { foldText, wordsOf } from './fold.ts';
import type { Agreement } from './person-names.ts';

// Legal forms, and words in the names of many companies.
const IGNORED = new Set(
  (
    'inc incorporated llc llp lp ltd limited plc corp corporation co company gmbh ag kg kgaa ug mbh se sa sas sarl ' +
    'srl spa bv nv oy oyj ab as asa aps a s pty pte kk sro zoo sp z o the group holding holdings international ' +
    'global solutions services technologies technology systems'
  ).split(' '),
);

// Words with which the names of many companies begin.
const COMMON_LEADS = new Set(
  (
    'american british canadian china deutsche european first french general german great india indian italian japan ' +
    'national new north south east west northern southern eastern western pacific atlantic premier public royal ' +
    'smart standard swiss united universal us uk'
  ).split(' '),
);

/**
 * Compares two company names. They agree if one contains the other, or the other's first word or acronym. They differ
 * if they have no word in common. If they only have another word in common, such as the industry, the result is
 * unknown. Names without a distinctive word agree if they are equal; otherwise the result is unknown.
 */
export function compareCompanyNames(a: string, b: string): Agreement {
  const [left, right] = [distinctiveWords(a), distinctiveWords(b)];
  const [leftLead, rightLead] = [left[0], right[0]];
  if (leftLead === undefined || rightLead === undefined)
    return foldText(a) === foldText(b) ? 'agree' : 'unknown';
  const [joinedLeft, joinedRight] = [left.join(''), right.join('')];
  if (joinedLeft.includes(joinedRight) || joinedRight.includes(joinedLeft)) return 'agree';
  if (isAcronym(joinedLeft, wordsOf(b)) || isAcronym(joinedRight, wordsOf(a))) return 'agree';
  const holdsLead = (words: readonly string[], lead: string) =>
    !COMMON_LEADS.has(lead) && words.includes(lead);
  if (holdsLead(right, leftLead) || holdsLead(left, rightLead)) return 'agree';
  return left.some((word) => right.includes(word)) ? 'unknown' : 'differ';
}

function isAcronym(short: string, words: readonly string[]): boolean {
  return (
    short.length >= 2 &&
    words
      .map((word) => word.charAt(0))
      .join('')
      .startsWith(short)
  );
}

// A name in another script cannot be compared with a Latin name, so it yields no words.
function distinctiveWords(name: string): string[] {
  const words = wordsOf(name);
  if (words.some((word) => !/^[a-z0-9]+$/.test(word))) return [];
  return words.filter((word) => !IGNORED.has(word));
}

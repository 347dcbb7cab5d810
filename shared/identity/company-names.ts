import { wordsOf } from './fold.ts';

// Legal forms and words that half of all companies carry.
const IGNORED = new Set(
  (
    'inc incorporated llc llp lp ltd limited plc corp corporation co company gmbh ag kg kgaa ug mbh se sa sas sarl ' +
    'srl spa bv nv oy oyj ab as asa aps a s pty pte kk sro zoo sp z o the group holding holdings international ' +
    'global solutions services technologies technology systems'
  ).split(' '),
);

/** Whether two company names have nothing in common: no telling word, no part, no acronym. */
export function areDifferentCompanies(a: string, b: string): boolean {
  const [left, right] = [tellingWords(a), tellingWords(b)];
  if (left.length === 0 || right.length === 0) return false;
  const [joinedLeft, joinedRight] = [left.join(''), right.join('')];
  if (joinedLeft.includes(joinedRight) || joinedRight.includes(joinedLeft)) return false;
  if (left.some((word) => right.includes(word))) return false;
  return !isAcronym(joinedLeft, wordsOf(b)) && !isAcronym(joinedRight, wordsOf(a));
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

// A name in another script cannot be held against a Latin one.
function tellingWords(name: string): string[] {
  const words = wordsOf(name);
  if (words.some((word) => !/^[a-z0-9]+$/.test(word))) return [];
  return words.filter((word) => !IGNORED.has(word));
}

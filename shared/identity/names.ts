import { foldText, whyNoValue, wordsOf } from './texts.ts';

// First names and their short forms, folded. Names in one line may belong to one person. Short forms that are the start of
// the long form (Alex, Chris, Ben) need no line. A name may be in several lines.
const LINES = `
  abigail abby gail
  aleksandr alexander alexandra sasha sandy xander lex alejandro alessandro sandro
  andrew andy drew andreas andrei andrzej
  anthony tony antonio toni anton
  barbara babs bobbie basia
  benjamin benny benji
  catherine katherine kathryn katharina kate katie kathy cathy kat kitty kasia
  charles charlie chuck chas karl carl carlos
  christopher christina christian kit topher tina kris kristina krzysztof
  daniel danny daniela dani
  david dave davey
  deborah debbie debra
  donald donnie
  dorothy dottie dot dolly
  edward eddie ted teddy ned eduardo
  elizabeth elisabeth liz lizzie beth betty bess eliza libby lisa elsa lisbeth
  ernest ernie
  eugene gene evgeny yevgeny zhenya
  francis frances frank fran francisco paco pancho francesco franz
  frederick frederik freddy fritz friedrich
  gabriel gabriela gabby
  george georg jorge georgie yuri jurgen jerzy
  gerald gerard gerry jerry
  gregory greg grzegorz
  guillermo memo william bill billy will willy liam wilhelm willem
  harold harry hal
  henry hank harry heinrich enrique henrik hendrik henri
  isabella isabel bella izzy
  jacob jake jakob kuba
  james jim jimmy jamie jaime diego santiago
  janet jan jean jane janie
  jennifer jenny jen
  john jack johnny jon jonathan johan johannes hans ivan juan jean jan giovanni gianni ian sean vanya
  joseph joe joey jose pepe josef sepp giuseppe beppe youssef yusuf
  kenneth kenny
  laurence lawrence larry lorenzo lars
  leonard leonardo leo lenny
  louis lewis lou luis ludwig luigi
  margaret maggie meg peggy greta margarita rita gosia daisy
  maria mary marie molly polly mia mitzi
  martha patty marta
  matthew matt mateo matthias mats matias
  maximilian maxim max
  michael mike mick mickey micky miguel mikhail misha michele michal mikael michel
  mohammed muhammad mohamed mohammad mo mehmet
  natalia natalie natasha tasha
  nicholas nicolas nikolaus nick nicky klaus nikolai kolya niels nils
  patricia patrick pat patty trish tricia paddy
  paul pablo paolo pavel
  peter pete pedro pietro pierre piotr pyotr petra
  philip phil pip felipe filip philippe
  raymond ray ramon
  rebecca becky becca
  richard rick ricky dick rich ricardo riccardo
  robert rob bob bobby robbie bert roberto
  ronald ronnie
  samuel samantha sammy
  sarah sally sadie
  stephen steven steve stefan esteban etienne stephanie steph stefanie steffi
  susan suzanne sue suzy susie
  theodore ted teddy theo
  theresa teresa terry tess tessa
  thomas tom tommy tomas tomasz
  victoria vicky tori
  vladimir vova volodymyr
  walter wally walt
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '));

const linesByName = new Map<string, Set<number>>();
LINES.forEach((names, line) => {
  for (const name of names) linesByName.set(name, (linesByName.get(name) ?? new Set<number>()).add(line));
});

/** Whether one person may use both folded first names. */
function areVariants(a: string, b: string): boolean {
  const lines = linesByName.get(a);
  const others = linesByName.get(b);
  return lines !== undefined && others !== undefined && [...lines].some((line) => others.has(line));
}

/**
 * Returns one name for a folded first name and its short forms. A short form of several names is returned unchanged.
 */
export function canonicalFirstName(name: string): string {
  const [line, ...others] = linesByName.get(name) ?? [];
  return (others.length === 0 && line !== undefined && LINES[line]?.[0]) || name;
}

export interface PersonName {
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/** `unknown`: one side is missing or in another script. */
export type Agreement = 'agree' | 'differ' | 'unknown';

// Titles and degrees do not identify a person, and many people leave out particles.
const IGNORED_OF_PEOPLE = new Set(
  (
    'dr prof professor mr mrs ms miss mx herr frau ing dipl sir jr sr ii iii iv phd mba msc bsc md esq cpa ' +
    'van von vom zu der den de del della di da do dos das du la le ter ten al el bin ibn ben y e'
  ).split(' '),
);

/** Compares two names by part. First and last name may be swapped. */
export function compareNames(a: PersonName, b: PersonName): { first: Agreement; last: Agreement } {
  const straight = {
    first: compare(a.first, b.first, areAlikeFirst),
    last: compare(a.last, b.last, areAlike),
  };
  if (straight.first !== 'differ' && straight.last !== 'differ') return straight;
  const swapped = {
    first: compare(a.first, b.last, areAlikeFirst),
    last: compare(a.last, b.first, areAlike),
  };
  const both = [swapped.first, swapped.last];
  const isSwapped = both.includes('agree') && !both.includes('differ');
  return isSwapped ? swapped : straight;
}

/** Whether a text is a name. Forms use placeholders for missing names. */
function isName(text: string): boolean {
  return /\p{L}/u.test(text) && !text.includes('@') && whyNoValue(text, 'person-name') === undefined;
}

/** Whether a text, such as the local part of an email address, contains a last name. */
export function holdsName(text: string, name: string): boolean {
  const [wanted, within] = [tokensOf(name).join(''), tokensOf(text).join('')];
  return wanted.length >= 3 && within.includes(wanted);
}

// One common word is enough, because people leave out middle names and one half of a double name.
function compare(
  a: string | undefined,
  b: string | undefined,
  alike: (x: string, y: string) => boolean,
): Agreement {
  // Names in another script are compared as a whole.
  if (a && b && isName(a) && foldText(a) === foldText(b)) return 'agree';
  const [left, right] = [tokensOf(a ?? ''), tokensOf(b ?? '')];
  if (left.length === 0 || right.length === 0) return 'unknown';
  if (alike(left.join(''), right.join(''))) return 'agree';
  const agrees = left.some((x) => right.some((y) => !areMiddleInitials(x, y, [left, right]) && alike(x, y)));
  return agrees ? 'agree' : 'differ';
}

// An initial agrees with a full name. But two equal middle initials prove nothing.
function areMiddleInitials(x: string, y: string, names: readonly (readonly string[])[]): boolean {
  return x.length === 1 && y.length === 1 && names.some((name) => name.some((word) => word.length > 1));
}

function areAlikeFirst(a: string, b: string): boolean {
  return areAlike(a, b) || isShortForm(a, b) || areVariants(a, b);
}

function areAlike(a: string, b: string): boolean {
  if (a.length === 1 || b.length === 1) return a.charAt(0) === b.charAt(0);
  const [left, right] = [withoutUmlauts(a), withoutUmlauts(b)];
  return left === right || (Math.min(left.length, right.length) >= 5 && isOneEditApart(left, right));
}

/** Reduces `ae`, `oe` and `ue` to one letter, because folding also reduces an umlaut to one letter. */
function withoutUmlauts(word: string): string {
  return word.replace(/([aou])e/g, '$1');
}

function isShortForm(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length >= 2 && long.startsWith(short);
}

function isOneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const rest = (text: string, from: number) => text.slice(from);
  if (long.length > short.length) return rest(short, start) === rest(long, start + 1);
  return rest(short, start + 1) === rest(long, start + 1) || isSwap(short, long, start);
}

function isSwap(a: string, b: string, at: number): boolean {
  const swapped = a[at] === b[at + 1] && a[at + 1] === b[at];
  return swapped && a.slice(at + 2) === b.slice(at + 2);
}

/** The folded Latin words of a name. */
function tokensOf(name: string): string[] {
  if (!isName(name)) return [];
  const words = foldText(name)
    .replace(/['’`]/g, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
  // A name in another script cannot be compared with a Latin name.
  if (words.some((word) => !/^[a-z]+$/.test(word))) return [];
  const distinctive = words.filter((word) => !IGNORED_OF_PEOPLE.has(word));
  return distinctive.length === 0 ? words : distinctive;
}

// Legal forms, and words in the names of many companies.
const IGNORED_OF_COMPANIES = new Set(
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
  return words.filter((word) => !IGNORED_OF_COMPANIES.has(word));
}

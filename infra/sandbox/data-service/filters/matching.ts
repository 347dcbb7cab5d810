import { fold } from '../world/folding.ts';
import type { Place } from '../world/types.ts';

/**
 * One key for labels of the same level. The specification calls a level C-Team in people search and C-Suite in
 * employee search.
 */
export function seniorityKey(label: string): string {
  const key = fold(label).replace(/[ _]/g, '-');
  return ['c-team', 'c-level', 'c-suite', 'csuite'].includes(key) ? 'c-suite' : key;
}

/**
 * Matches if a word of the title begins with the wanted text: `engineer` finds Engineering Manager, `cto` does not
 * find Director.
 */
export function titleMatcher(wanted: readonly string[]): (title: string) => boolean {
  const needles = [...new Set(wanted.map((text) => ` ${fold(text)}`))];
  const known = new Map<string, boolean>();
  return (title) => {
    const verdict = known.get(title);
    if (verdict !== undefined) return verdict;
    const text = ` ${fold(title)}`;
    const isFound = needles.some((needle) => text.includes(needle));
    known.set(title, isFound);
    return isFound;
  };
}

/** Names of each place: city, state, country, country code, region. */
const namesOfPlaces = new WeakMap<Place, ReadonlySet<string>>();

function namesOf(place: Place): ReadonlySet<string> {
  const known = namesOfPlaces.get(place);
  if (known !== undefined) return known;
  const texts = [place.city, place.state, place.country, place.countryCode, place.region];
  const names = new Set(texts.filter((text) => text !== undefined).map(fold));
  namesOfPlaces.set(place, names);
  return names;
}

/**
 * Matches names of a place, such as `Austin`, `Texas` or `United States`. Of several names with commas, all must fit
 * the place.
 */
export function placeMatcher(wanted: readonly string[]): (place: Place) => boolean {
  const needles = wanted.map((text) =>
    fold(text)
      .split(/ ?, ?/)
      .filter((part) => part !== ''),
  );
  // The wanted texts are grouped by their first part, so that a place is compared only with candidates.
  const candidates = Map.groupBy(needles, ([first]) => first);
  return (place) => {
    const names = namesOf(place);
    return [...names].some((name) =>
      candidates.get(name)?.some((parts) => parts.every((part) => names.has(part))),
    );
  };
}

import type { City, Country } from './countries.ts';

/** Assigns each number of a country's blocks once, in E.164. Returns `undefined` if all numbers are used up. */
export interface PhoneBook {
  mobile(country: Country, city: City): string | undefined;
  office(country: Country, city: City): string | undefined;
}

export function createPhoneBook(): PhoneBook {
  const given = new Map<string, number>();

  function next(country: Country, prefix: string): string | undefined {
    const block = `${country.callingCode}${prefix}`;
    const digits = country.nationalLength - prefix.length;
    const size = 10 ** digits;
    const count = given.get(block) ?? 0;
    if (count >= size) return undefined;
    given.set(block, count + 1);
    // 37 has no common factor with a power of ten. So each number of the block occurs once, in mixed order.
    const number = String((count * 37) % size).padStart(digits, '0');
    return `+${block}${number}`;
  }

  function first(country: Country, prefixes: readonly string[]): string | undefined {
    for (const prefix of prefixes) {
      const number = next(country, prefix);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  return {
    mobile: (country, city) => first(country, [...country.mobilePrefixes, ...city.phonePrefixes]),
    office: (country, city) => first(country, city.phonePrefixes),
  };
}

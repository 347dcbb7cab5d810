type AnswerRecord = Readonly<Record<string, unknown>>;

/**
 * Converts a company of a search result to the form of a profile, so that the policy's rules apply to both. Ranges keep
 * their own names, because they are no numbers; no rule writes them.
 * @param domain the domain of the search, which may be missing in the result.
 */
export function asProfile(result: AnswerRecord, domain: string): AnswerRecord {
  const { about_us: description, specialties, street, postcode, city, state, country, ...rest } = result;
  const headquarters = withoutGaps({
    address: street,
    city: city ?? result['headquarters.city'],
    state: state ?? result['headquarters.state'],
    country: country ?? result['headquarters.country_name'],
    postal_code: postcode,
  });
  const specialities =
    typeof specialties === 'string' ? specialties.split(';').map((one) => one.trim()) : undefined;
  return { ...rest, ...withoutGaps({ description, specialities, headquarters }), domains: [domain] };
}

function withoutGaps(values: AnswerRecord): AnswerRecord {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

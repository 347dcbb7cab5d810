type AnswerRecord = Readonly<Record<string, unknown>>;

/**
 * Converts a company of a search result to the form of a profile, so that the policy's rules apply to both. Ranges keep
 * their own names, because they are not numbers. No rule writes them.
 * @param domain the requested domain, which the result may lack.
 */
export function asProfile(result: AnswerRecord, domain: string): AnswerRecord {
  const { about_us: description, specialties, street, postcode, city, state, country, ...rest } = result;
  const headquarters = withoutUndefined({
    address: street,
    city: city ?? result['headquarters.city'],
    state: state ?? result['headquarters.state'],
    country: country ?? result['headquarters.country_name'],
    postal_code: postcode,
  });
  const specialities =
    typeof specialties === 'string' ? specialties.split(';').map((one) => one.trim()) : undefined;
  return { ...rest, ...withoutUndefined({ description, specialities, headquarters }), domains: [domain] };
}

function withoutUndefined(values: AnswerRecord): AnswerRecord {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

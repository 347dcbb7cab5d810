type AnswerRecord = Readonly<Record<string, unknown>>;

/**
 * A company as a search tells it, in the form of a profile, so that the policy's rules hold for both. Ranges keep their
 * own names: they are no numbers, and are written nowhere.
 * @param domain the one that it was found by, which may be none that it names itself.
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

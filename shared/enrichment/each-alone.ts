/** Why the work on a record failed, by the record's id: that record's own failure. */
export type Failures = ReadonlyMap<string, { readonly error: unknown }>;

/** Works on many records side by side; the failure of one keeps no other. */
export async function eachAlone<T>(
  things: readonly T[],
  idOf: (thing: T) => string,
  work: (thing: T) => Promise<void>,
): Promise<Failures> {
  const failures = new Map<string, { readonly error: unknown }>();
  await Promise.all(
    things.map((thing) => work(thing).catch((error: unknown) => void failures.set(idOf(thing), { error }))),
  );
  return failures;
}

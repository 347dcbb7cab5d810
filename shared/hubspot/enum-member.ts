import { assert } from '#shared/kernel/errors.ts';

/** The member of a generated string enum that has this value: the official client's types take no plain text. */
export function enumMember<Member extends string>(
  members: Readonly<Record<string, Member>>,
  value: `${Member}`,
): Member {
  const member = Object.values(members).find((candidate) => candidate === value);
  assert(member !== undefined, 'a generated enum knows each of its values');
  return member;
}

import type { Policy } from '#shared/field-policy';
import { refusedReply } from './reply-texts.ts';
import type { PeopleList } from './request-services.ts';
import type { Reply } from './schemas.ts';

/** The reply to a user who is not in the list: it names the users to ask. `undefined` if the user may ask. */
export function notAllowed(
  { people }: Pick<Policy, 'people'>,
  list: PeopleList | undefined,
  askedBy: string | undefined,
): Reply | undefined {
  if (list === undefined || people[list].some((id) => askedBy === `user:${id}`)) return undefined;
  const setting = `people.${list}`;
  return people[list].length === 0
    ? refusedReply('nobody-listed', { setting })
    : refusedReply('user-not-listed', { users: people[list].join(', '), setting });
}

import type { Policy } from '#shared/field-policy';
import { refusedReply } from './reply-texts.ts';
import type { PeopleList, WishHandler } from './request-services.ts';
import type { PersonRequest, Reply } from './schemas.ts';

/** The list of the policy whose users may make a request; `undefined` if every user may make it. */
function listOf(request: PersonRequest, wish: WishHandler | undefined): PeopleList | undefined {
  if ('wish' in request) return wish?.listOf(request);
  if (request.kind === 'admit') return 'approve';
  return request.kind === 'resume-spending' ? 'resume' : undefined;
}

/** The reply to a request that the user may not make: it names the users to ask. `undefined` if the user may make it. */
export function notAllowed(
  { people }: Pick<Policy, 'people'>,
  request: PersonRequest,
  wish: WishHandler | undefined,
): Reply | undefined {
  const list = listOf(request, wish);
  if (list === undefined || people[list].some((id) => request.askedBy === `user:${id}`)) return undefined;
  const setting = `people.${list}`;
  return people[list].length === 0
    ? refusedReply('nobody-listed', { setting })
    : refusedReply('user-not-listed', { users: people[list].join(', '), setting });
}

import type { Policy } from '#shared/field-policy';
import { refusedReply } from './reply-texts.ts';
import type { PersonRequest, Reply } from './schemas.ts';

type List = 'decide' | 'approve' | 'resume';

/** The list of the policy whose users may make a request; `undefined` if every user may make it. */
function listOf(request: PersonRequest): List | undefined {
  switch (request.kind) {
    case 'accept':
      // Its values are of another person or company than the record.
      return request.finding === 'contradiction' ? 'decide' : undefined;
    case 'admit':
      return 'approve';
    case 'backfill':
      return request.move === 'pause' || request.move === 'stop' ? undefined : 'approve';
    case 'resume-spending':
      return 'resume';
    default:
      return undefined;
  }
}

/** The reply to a request that the user may not make: it names the users to ask. `undefined` if the user may make it. */
export function notAllowed({ people }: Pick<Policy, 'people'>, request: PersonRequest): Reply | undefined {
  const list = listOf(request);
  if (list === undefined || people[list].some((id) => request.askedBy === `user:${id}`)) return undefined;
  const setting = `people.${list}`;
  return people[list].length === 0
    ? refusedReply('nobody-listed', { setting })
    : refusedReply('user-not-listed', { users: people[list].join(', '), setting });
}

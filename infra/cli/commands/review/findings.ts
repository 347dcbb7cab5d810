import type { FindingName } from '#shared/enrichment';
import { command, wording } from '#shared/kernel';
import {
  type Decided,
  FINDING_KINDS,
  type FindingKind,
  type ReviewLine,
  type Reviews,
  reviewLines,
} from '#shared/review';
import { CliError } from '../../terminal/exit.ts';
import { readShortName } from '../records/find-record.ts';

/** Yields every undecided finding, page by page. */
export async function* undecided(
  reviews: Pick<Reviews, 'page'>,
  kind: FindingKind | undefined,
): AsyncGenerator<ReviewLine> {
  let after: string | undefined;
  do {
    const page = await reviews.page({ kind, after });
    yield* reviewLines(page.values, kind);
    after = page.next;
  } while (after !== undefined);
}

/** Parses `contacts/123/proposal`. @throws CliError if it is not an id of a review. */
export function readId(id: string): FindingName {
  const lastSlash = id.lastIndexOf('/');
  const kind = FINDING_KINDS.find((each) => each === id.slice(lastSlash + 1));
  const record = readShortName(id.slice(0, lastSlash));
  if (kind && record) return { record, kind, decidedBy: 'operator' };
  throw new CliError(`"${id}" is not an id of a review: an id looks like contacts/123/${FINDING_KINDS[0]}.`, {
    code: 'not-an-id',
  });
}

export function notOpen(id: string, state: Extract<Decided, { kind: 'refused' }>['state']): CliError {
  const message =
    state === 'none'
      ? wording`Nothing needs review under ${id}; see: ${command('review list')}`
      : `${id} is already ${state}.`;
  return new CliError(message, { code: 'not-open' });
}

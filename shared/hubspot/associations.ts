import { inChunks, UpstreamError } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import { HUBSPOT_ERRORS, type HubSpotErrorCode } from './errors.ts';
import { readAnswer } from './failures.ts';
import { AssociatedAnswerSchema, AssociationsAnswerSchema } from './schemas.ts';
import type { Exchange } from './transport.ts';
import type { AssociatedRequest, AssociateRequest, Association, Limits } from './types.ts';

/** Limits of inputs in a batch read, and in a batch of new associations. Source: HubSpot developer docs, "Associations". */
const MAX_READ = 1_000;
const MAX_CREATE = 2_000;

const BATCH = `/crm/associations/${API_VERSION}/contacts/companies/batch`;

/** Returns the contacts that have a company, primary or not. */
export async function contactsWithCompany(
  exchange: Exchange,
  { contactIds, ...limits }: AssociatedRequest,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const ids of inChunks([...new Set(contactIds)], MAX_READ)) {
    const body = JSON.stringify({ inputs: ids.map((id) => ({ id })) });
    const response = await exchange({ method: 'POST', path: `${BATCH}/read`, body, ...limits });
    // HubSpot reports a contact without a company as an error of the batch, so errors are ignored here.
    const { results } = readAnswer(response, AssociationsAnswerSchema);
    for (const { from, to } of results) if (to.length > 0) found.add(from.id);
  }
  return found;
}

/**
 * Creates default associations, without a label. Safe to repeat. If HubSpot refuses a whole batch, halves it until the
 * refused associations are found.
 * @returns the refused associations, with HubSpot's category or our error code.
 */
export async function associateContacts(
  exchange: Exchange,
  { associations, ...limits }: AssociateRequest,
): Promise<ReadonlyMap<Association, string>> {
  const refused = new Map<Association, string>();
  for (const chunk of inChunks(associations, MAX_CREATE))
    await associate({ exchange, limits, refused }, chunk);
  return refused;
}

interface Associating {
  readonly exchange: Exchange;
  readonly limits: Limits;
  readonly refused: Map<Association, string>;
}

async function associate(associating: Associating, associations: readonly Association[]): Promise<void> {
  const { refused } = associating;
  try {
    const { results, errors } = await send(associating, associations);
    const created = new Set(
      results.flatMap(({ from, to }) => [`${from.id}>${to.id}`, `${to.id}>${from.id}`]),
    );
    const reason = errors[0]?.category ?? 'UNCONFIRMED';
    for (const association of associations)
      if (!created.has(`${association.contactId}>${association.companyId}`)) refused.set(association, reason);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { kind } = HUBSPOT_ERRORS[error.code as HubSpotErrorCode] ?? {};
    if (kind !== 'scope' && kind !== 'request') throw error;
    if (associations.length > 1 && kind === 'request') {
      const half = Math.ceil(associations.length / 2);
      for (const part of inChunks(associations, half)) await associate(associating, part);
    } else for (const association of associations) refused.set(association, error.code);
  }
}

async function send({ exchange, limits }: Associating, associations: readonly Association[]) {
  const inputs = associations.map(({ contactId, companyId }) => ({
    from: { id: contactId },
    to: { id: companyId },
  }));
  const path = `${BATCH}/associate/default`;
  const response = await exchange({ method: 'POST', path, body: JSON.stringify({ inputs }), ...limits });
  return readAnswer(response, AssociatedAnswerSchema);
}

import { objectTypeNamed, type RecordName } from '#shared/crm';
import { toDomain } from '#shared/identity';
import type { Connection } from '../connection/connection.ts';
import { CliError } from '../terminal/exit.ts';

/** `portalId` is the account in the address of a record's page. */
type Named =
  | (RecordName & { readonly portalId?: string })
  | { readonly email: string }
  | { readonly domain: string };

/**
 * Finds a record by `contacts/123`, by the URL of its page in HubSpot, by a contact's email or by a company's domain.
 * @throws CliError if no record or several records fit.
 */
export async function findRecord(connection: Connection, words: string): Promise<RecordName> {
  const named = await nameRecord(connection, words);
  if ('id' in named) return named;
  const { services } = connection;
  const wanted =
    'email' in named
      ? { objectType: 'contacts' as const, propertyName: 'email', value: named.email }
      : { objectType: 'companies' as const, propertyName: 'domain', value: named.domain };
  const { objectType, propertyName, value } = wanted;
  const filters = [{ propertyName, operator: 'EQ' as const, value }];
  const request = { objectType, filters, properties: [], limit: MOST_SHOWN };
  const { results } = await services.hubSpot.search(request);
  const [only, ...others] = results;
  if (!only)
    throw new CliError(
      'no-record',
      `HubSpot's search finds no record of ${objectType} with this ${propertyName}. For a record created within the last minute, give ${objectType}/<id>.`,
    );
  if (others.length > 0) {
    const names = results.map(({ id }) => `${objectType}/${id}`).join(', ');
    const message = `Several records have this ${propertyName}: choose one of ${names}.`;
    throw new CliError('several-records', message);
  }
  return { objectType, id: only.id };
}

const MOST_SHOWN = 10;

/**
 * Parses the operator's words.
 * @throws CliError if they name no record, or a record of another HubSpot account.
 */
export async function nameRecord(
  { services }: Pick<Connection, 'services'>,
  words: string,
): Promise<RecordName | { readonly email: string } | { readonly domain: string }> {
  const named = readName(words);
  if (!('id' in named)) return named;
  const { objectType, id, portalId } = named;
  if (portalId !== undefined) {
    const own = (await services.portal.learn()).portalId;
    if (portalId !== own)
      throw new CliError(
        'other-account',
        `This address is of HubSpot account ${portalId}, and this installation works for account ${own}.`,
      );
  }
  return { objectType, id };
}

/** Parses `contacts/123`. */
export function readShortName(text: string): RecordName | undefined {
  return recordOf(SHORT_NAME.exec(text) ?? []);
}

function recordOf([, kind = '', id]: readonly string[]): RecordName | undefined {
  const objectType = objectTypeNamed(kind);
  return objectType === undefined || id === undefined ? undefined : { objectType, id };
}

/** Parses the operator's words without a request. @throws CliError if they name no record. */
export function readName(words: string): Named {
  const text = words.trim();
  const named = readShortName(text) ?? recordOf(STAND_IN_PAGE.exec(text) ?? []);
  if (named) return named;
  const { portalId, type = '', recordId } = RECORD_PAGE.exec(text)?.groups ?? {};
  const objectType = objectTypeNamed(type);
  if (objectType !== undefined && recordId !== undefined)
    return { objectType, id: recordId, ...(portalId !== undefined && { portalId }) };
  if (/^[^@\s/]+@[^@\s/]+\.[^@\s/]+$/.test(text)) return { email: text.toLowerCase() };
  const isNoDomain = /^\d+$/.test(text) || HUBSPOT_PAGE.test(text);
  const domain = isNoDomain ? undefined : toDomain(text);
  if (domain !== undefined) return { domain };
  throw new CliError(
    'not-a-record',
    `"${words}" is not a record: give contacts/<id> or companies/<id>, its address in HubSpot, an email or a domain.`,
  );
}

const SHORT_NAME = /^(contacts?|company|companies)[/#](\d{1,20})$/;
const STAND_IN_PAGE = /^https?:\/\/[^/]+\/screen\/(contacts|companies)\/(\d{1,20})(?:[/?#].*)?$/;
/** `.../contacts/{portal}/record/0-1/{id}`, or the older `.../contacts/{portal}/contact/{id}`. */
const RECORD_PAGE =
  /^(?:https?:\/\/)?app(?:-\w+)?\.hubspot\.com\/contacts\/(?<portalId>\d+)\/(?:.+\/)?(?<type>0-1|0-2|contact|company)\/(?<recordId>\d{1,20})(?:[/?#].*)?$/i;
/** A page of HubSpot that is no record's, such as a list or a deal, names no company by its domain. */
const HUBSPOT_PAGE = /^(?:https?:\/\/)?app(?:-\w+)?\.hubspot\.com\//i;

import { Link, useCrmSearch } from '@hubspot/ui-extensions';
import { createContext, type ReactNode, useContext } from 'react';
import type { CardRecord } from '../cards/service.ts';

const TYPE_IDS = { contacts: '0-1', companies: '0-2' } as const;
const PROPERTIES = {
  contacts: ['firstname', 'lastname'],
  companies: ['name', 'domain'],
} as const;
const UNNAMED = { contacts: 'A contact', companies: 'A company' } as const;

/** HubSpot's maximum of values in one filter is 100. */
const MAX_NAMES = 100;

interface Names {
  readonly portalId: number | undefined;
  readonly nameOf: (record: CardRecord) => string;
}

const NamesContext = createContext<Names>({
  portalId: undefined,
  nameOf: ({ objectType }) => UNNAMED[objectType],
});

/** Reads the records' names from HubSpot, with the rights of the person at the screen. They are stored nowhere. */
export function NamesProvider({
  records,
  portalId,
  children,
}: {
  readonly records: readonly CardRecord[];
  readonly portalId: number | undefined;
  readonly children: ReactNode;
}) {
  const names = {
    contacts: useNamesOf('contacts', records),
    companies: useNamesOf('companies', records),
  };
  const nameOf = ({ objectType, id }: CardRecord) => names[objectType].get(id) ?? UNNAMED[objectType];
  return <NamesContext.Provider value={{ portalId, nameOf }}>{children}</NamesContext.Provider>;
}

function useNamesOf(
  objectType: CardRecord['objectType'],
  records: readonly CardRecord[],
): ReadonlyMap<string, string> {
  const ids = records.filter((record) => record.objectType === objectType).map(({ id }) => id);
  const values = [...new Set(ids)].slice(0, MAX_NAMES);
  const { results } = useCrmSearch({
    objectType: TYPE_IDS[objectType],
    properties: [...PROPERTIES[objectType]],
    // The hook always searches. No record has the id 0.
    filterGroups: [
      {
        filters: [
          { propertyName: 'hs_object_id', operator: 'IN', values: values.length > 0 ? values : ['0'] },
        ],
      },
    ],
    pageLength: MAX_NAMES,
  });
  return new Map(
    results.map(({ objectId, properties }) => {
      const { firstname, lastname, name, domain } = properties;
      const known = [[firstname, lastname], [name], [domain]].map((parts) => parts.filter(isWord).join(' '));
      const shown =
        known.find((each) => each !== '') ??
        `${objectType === 'contacts' ? 'Contact' : 'Company'} ${objectId}`;
      return [String(objectId), shown];
    }),
  );
}

/** Forms and imports fill a missing name with "null". */
function isWord(text: string | null | undefined): text is string {
  return Boolean(text) && !/^(null|undefined)$/i.test(text ?? '');
}

export function useNameOf(): Names['nameOf'] {
  return useContext(NamesContext).nameOf;
}

/** The record's name, with a link to its page in HubSpot. */
export function RecordLink({ record }: { readonly record: CardRecord }) {
  const { portalId, nameOf } = useContext(NamesContext);
  const { objectType, id } = record;
  return (
    <Link href={`/contacts/${portalId ?? ''}/record/${TYPE_IDS[objectType]}/${id}`}>{nameOf(record)}</Link>
  );
}

/** Reads `contacts#123`. */
export function recordOf(key: string | undefined): CardRecord | undefined {
  const [type, id] = key?.split('#') ?? [];
  if (id === undefined) return undefined;
  return { objectType: type === 'contacts' ? 'contacts' : 'companies', id };
}

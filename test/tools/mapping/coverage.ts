import type { Mapping } from '#inside/field-policy/mapping.ts';
import { OBJECT_TYPES, type ObjectType, type PropertyDefinitions } from '#shared/crm';
import { leftoversOf, mapAnswer, parsePolicy } from '#shared/field-policy';
import { openPortal } from '../../contract/traps/portal.ts';
import { type Bought, canonicalAnswers } from './generated-answers.ts';

/** The account's own; amounts in another one are not written. */
const CURRENCY = 'USD';
const rules = parsePolicy({ budgets: { perDay: 1 } }).fields;

/** The properties of a new account. */
export async function newDefinitions(objectType: ObjectType): Promise<PropertyDefinitions> {
  const listed = await openPortal().client().listProperties(objectType);
  return new Map(listed.map((definition) => [definition.name, definition]));
}

/** What becomes of each generated answer under the default fields. */
export function mappings(
  objectType: ObjectType,
  bought: Bought,
  definitions: PropertyDefinitions,
): Mapping[] {
  return canonicalAnswers(bought)[objectType].map((answer) =>
    mapAnswer({ rules: rules[objectType], answer, definitions, currency: CURRENCY }),
  );
}

/** Tables of the mapping page: for each key of an answer where it goes, and how often it gets there. */
export async function coverageTables(): Promise<string> {
  const tables = await Promise.all(
    OBJECT_TYPES.map(async (objectType) =>
      [`### ${TITLES[objectType]}`, '', ...rowsOf(objectType, await newDefinitions(objectType))].join('\n'),
    ),
  );
  return tables.join('\n\n');
}

const TITLES = { contacts: 'A person record to a contact', companies: 'A company profile to a company' };
const HEAD = ['| in the answer | HubSpot property | filled |', '| - | - | - |'];

function rowsOf(objectType: ObjectType, definitions: PropertyDefinitions): string[] {
  const answers = canonicalAnswers('everything')[objectType];
  const held = [...new Set(answers.flatMap((answer) => leftoversOf(answer, [])))];
  const filled = {
    default: filledBy(mappings(objectType, 'default', definitions)),
    everything: filledBy(mappings(objectType, 'everything', definitions)),
  };
  const share = (number = 0) => `${Math.round((100 * number) / answers.length)}%`;
  const propertiesOf = (path: string) =>
    rules[objectType].filter(({ from }) => from === path).map(({ property }) => property);
  const unused = held.filter((path) => propertiesOf(path).length === 0);
  const rows = held.flatMap((path) =>
    propertiesOf(path).map((property) => {
      const key = `${property} ${path}`;
      const [usual, most] = [filled.default, filled.everything].map((counts) => share(counts.get(key)));
      return `| \`${path}\` | \`${property}\` | ${usual === most ? usual : `${usual}, bought: ${most}`} |`;
    }),
  );
  return [...HEAD, ...rows, '', `No field uses: ${unused.map((path) => `\`${path}\``).join(', ')}.`];
}

function filledBy(mapped: readonly Mapping[]): Map<string, number> {
  return countsOf(
    mapped.flatMap(({ proposed }) => proposed.map(({ property, rule }) => `${property} ${rule.from}`)),
  );
}

function countsOf(keys: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
}

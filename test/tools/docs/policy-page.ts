import * as z from 'zod';
import { wholePolicySchema } from '#inside/field-policy/policy.ts';
import { POLICY_LISTS, POLICY_MEANINGS, type PolicyMeaning } from './policy-meanings.ts';

export const POLICY_PAGE = 'docs/reference/policy.md';

const BEGINNING = `# Policy

Every setting of \`infra/policy.ts\`. [The guide](../guides/policy.md) explains how they work together. Only a budget is required. A policy with an unknown key is refused.

A "share" is a number from 0 to 1, such as 0.1 for 10%. \`npm run reference\` writes this page from the schema of the policy.
`;

/** The part of zod's JSON schema that the page uses. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface Setting {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Builds the reference of the policy from its schema. */
export function policyPage(): string {
  const root = z.toJSONSchema(wholePolicySchema, { io: 'input' }) as Schema;
  const settings = settingsIn(root, []);
  const lists = Object.entries(POLICY_LISTS).map(([title, { about, of, keys }]) => {
    const entries = [
      ...new Map(of.flatMap((path) => entriesOf(root, path)).map((each) => [each.path, each])),
    ];
    const rows = tableOf(
      entries.map(([, setting]) => setting),
      keys,
    );
    return `## ${title}\n\n${about}\n\n${rows}`;
  });
  return `${BEGINNING}\n## Settings\n\n${tableOf(settings, POLICY_MEANINGS)}\n${lists.join('\n')}`;
}

function settingsIn(schema: Schema, path: readonly string[], isRequired = false): readonly Setting[] {
  const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  if (more) return settingsIn(more, [...path, '*']);
  if (!schema.properties) return [{ path: path.join('.'), schema, isRequired }];
  return Object.entries(schema.properties).flatMap(([key, below]) =>
    settingsIn(below, [...path, key], schema.required?.includes(key)),
  );
}

/** The keys of one entry of the list at a path. */
function entriesOf(root: Schema, path: string): readonly Setting[] {
  let schema: Schema | undefined = root;
  for (const key of path.split('.')) schema = (listIn(schema)?.items ?? schema)?.properties?.[key];
  const { properties = {}, required = [] } = listIn(schema)?.items ?? {};
  return Object.entries(properties).map(([key, below]) => ({
    path: key,
    schema: below,
    isRequired: required.includes(key),
  }));
}

function listIn(schema: Schema | undefined): Schema | undefined {
  return schema?.items ? schema : schema?.anyOf?.find(({ items }) => items);
}

/** Settings with the same values, default and meaning share a row. */
function tableOf(settings: readonly Setting[], meanings: Readonly<Record<string, PolicyMeaning>>): string {
  const rows = settings.map((setting) => {
    const meaning = meanings[setting.path];
    if (!meaning)
      throw new Error(`test/tools/docs/policy-meanings.ts does not say what "${setting.path}" does.`);
    const [unit, effect, preset = defaultOf(setting)] = meaning;
    const values = [valuesOf(setting.schema, unit), ...(preset === 'none' ? [] : [`(${preset})`])];
    return { name: `\`${setting.path}\``, meaning: `${values.join(' ')} | ${effect}` };
  });
  const lines = [...Map.groupBy(rows, ({ meaning }) => meaning)].map(
    ([meaning, same]) => `| ${same.map(({ name }) => name).join(', ')} | ${meaning} |`,
  );
  const gone = Object.keys(meanings).filter((path) => !settings.some((setting) => setting.path === path));
  if (gone.length > 0)
    throw new Error(`The policy has no ${gone.join(', ')}: see test/tools/docs/policy-meanings.ts.`);
  return `| setting | value (default) | what it does |\n| - | - | - |\n${lines.join('\n')}\n`;
}

function valuesOf(schema: Schema, unit: string): string {
  const { type, items, anyOf, const: only, minimum, exclusiveMinimum, maximum } = schema;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (only !== undefined) return `\`${only}\``;
  if (anyOf) return [...new Set(anyOf.map((each) => valuesOf(each, unit)))].join(', or ');
  if (type === 'array') return items?.properties ? 'list' : `list of ${valuesOf(items ?? {}, unit)}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'object') return 'object';
  if (type !== 'number' && type !== 'integer') {
    const isAnyLength = schema.maxLength === undefined || schema.maxLength === schema.minLength;
    return isAnyLength ? unit || 'text' : `text of at most ${schema.maxLength} characters`;
  }
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const noun = unit === '' ? (type === 'integer' ? 'whole number' : 'number') : unit;
  if (type === 'number' && exclusiveMinimum !== undefined) return `${noun}, more than ${exclusiveMinimum}`;
  if (least === undefined) return noun;
  return most === undefined ? `${noun}, ${least} or more` : `${noun}, ${least} to ${shown(most)}`;
}

function defaultOf({ schema, isRequired }: Setting): string {
  const { default: preset } = schema;
  if (preset === undefined) return isRequired ? 'required' : 'none';
  return Array.isArray(preset) ? preset.map(shown).join(', ') || 'none' : shown(preset);
}

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-US');
  return `\`${typeof value === 'object' ? JSON.stringify(value) : value}\``;
}

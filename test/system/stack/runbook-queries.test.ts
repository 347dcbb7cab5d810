import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOG_FIELDS } from '#inside/kernel/logger.ts';
import { RUNBOOK } from '../../tools/docs/commands.ts';
import { readTree } from '../../tools/style/tree-files.ts';
import { DELIVERED, dataSynthesised, resourcesOf, synthesised } from './synthesised.ts';

const STACK = String(DELIVERED['stackName']);
const LOG_GROUPS = 'AWS::Logs::LogGroup';
const runbook = readFileSync(RUNBOOK, 'utf8');
const queries = [...runbook.matchAll(/^ *```text\n *# ([^\n]+)\n(.*?)^ *```/gms)].map(
  ([, groups = '', query = '']) => [groups, query] as const,
);

/** CloudFormation begins the name of a log group without a name of its own with stack and logical id. */
const groupNames = [
  ...Object.keys(resourcesOf(synthesised(), LOG_GROUPS)).map((id) => `${STACK}-${id}`),
  ...Object.keys(resourcesOf(dataSynthesised(), LOG_GROUPS)).map((id) => `${STACK}-data-${id}`),
];

/** The fields of the API's access log, as its stage writes them. */
const accessFields = Object.values(resourcesOf(synthesised(), 'AWS::ApiGatewayV2::Stage')).flatMap(
  ({ Properties }) => Object.keys(JSON.parse(Object(Properties['AccessLogSettings']).Format)),
);

const SYNTAX = 'fields|filter|stats|sort|limit|by|desc|asc|as|and|or|not|in|like|count|latest';

function namesIn(query: string): readonly string[] {
  const bare = query.replaceAll(/"[^"]*"|\/[^/]*\/| as \w+/g, ' ');
  const names = bare.match(/@?[a-zA-Z]\w*/g) ?? [];
  return names.filter((name) => !new RegExp(`^(?:${SYNTAX}|@timestamp|@message)$`).test(name));
}

describe('the log queries of the runbook', () => {
  it('are found', () => {
    expect(queries.length).toBeGreaterThan(5);
    expect(queries.length).toBe(runbook.split('```text\n').length - 1);
  });

  it.each(queries)('%s: the log groups are ours', (groups) => {
    for (const group of groups.split(', ')) {
      const begin = group.replace('NAME', STACK);
      expect(groupNames.filter((name) => name.startsWith(begin))).not.toEqual([]);
    }
  });

  it.each(queries)('%s: each field is written there', (groups, query) => {
    const fields: readonly string[] = groups.endsWith('AccessLogs')
      ? accessFields
      : [...LOG_FIELDS, 'time', 'level', 'event'];
    expect(namesIn(query).filter((name) => !fields.includes(name))).toEqual([]);
  });

  it('name events that the functions log', () => {
    const code = ['functions', 'shared'].flatMap((folder) =>
      readTree(resolve(import.meta.dirname, '../../..', folder)),
    );
    const logged = code.flatMap(({ text }) =>
      [...text.matchAll(/logger\s*\.(?:info|warn|error)\(\s*'([a-z-]+)'/g)].map(([, event]) => event),
    );
    const events = queries.flatMap(([, query]) =>
      [...query.matchAll(/event (?:= |in \[)([^\]\n)]*?)(?=[\]\n)]| and | or )/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/"([^"]+)"/g)].map(([, event]) => event),
      ),
    );
    expect(events).toContain('step-failed');
    expect(events.filter((event) => !logged.includes(event))).toEqual([]);
  });

  it('a wrong field is found', () => {
    expect(namesIn('filter evnt = "x" | stats count(*) as many by reason')).toEqual(['evnt', 'reason']);
  });
});

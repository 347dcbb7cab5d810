import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { NIST80053R5Checks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { ComputeStack } from '../../../infra/aws/compute-stack.ts';
import { DataStack } from '../../../infra/aws/data-stack.ts';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';
import { configured, createApp } from './synthesised.ts';

/** A finding as the table has it: `LambdaDLQ Functions/Reconcile`. */
function findings(app: App): readonly string[] {
  const { violations } = new NIST80053R5Checks(app).validateScope(app);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = '' }) => {
      const place = constructPath.replace(/^[^/]+\//, '').replace(/\/Resource$/, '');
      return `${ruleName.replace('NIST.800.53.R5-', '')} ${place}`;
    }),
  );
}

function appOf(settings: Readonly<Record<string, unknown>>): App {
  const app = createApp(settings);
  for (const Each of [DataStack, ComputeStack]) new Each(app, configured(settings));
  return app;
}

const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c-1111-2222-3333-444455556666';
const SETTINGS = [
  {},
  { tracing: true, alarmEmail: 'a@crm.example' },
  { kmsKeyArn: KEY, permissionsBoundaryArn: 'arn:aws:iam::123456789012:policy/boundary' },
];
const found = new Set(SETTINGS.flatMap((settings) => findings(appOf(settings))));

const page = readFileSync(join(PROJECT_ROOT, 'docs/operations/permissions.md'), 'utf8');
const ANSWERS = ['met', 'accepted', 'does not apply'];
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, rule = '', places = '', answer = '', reason = '']) => ({ rule, places, answer, reason }),
);
const patterns = rows.flatMap(({ rule, places }) =>
  places.split(', ').map((place) => ({
    text: `${rule} ${place}`,
    pattern: new RegExp(`^${rule} ${place.replaceAll('`', '').replaceAll('*', '[A-Za-z]+')}$`),
  })),
);

/** Findings that no row answers, and places of rows where nothing is found. */
function difference(seen: ReadonlySet<string>) {
  const list = [...seen];
  return {
    unanswered: list.filter((one) => !patterns.some(({ pattern }) => pattern.test(one))),
    gone: patterns.filter(({ pattern }) => !list.some((one) => pattern.test(one))).map(({ text }) => text),
  };
}

describe('the findings of the NIST 800-53 pack', () => {
  it('are in the table, and the table has no others', () => {
    expect(found.size).toBeGreaterThan(20);
    expect(difference(found)).toEqual({ unanswered: [], gone: [] });
  });

  it('have an answer and a reason each', () => {
    expect(rows.map(({ rule }) => rule)).toEqual([...new Set(rows.map(({ rule }) => rule))]);
    for (const { answer, reason } of rows) {
      expect(ANSWERS).toContain(answer);
      expect(reason.length).toBeGreaterThan(40);
    }
  });
});

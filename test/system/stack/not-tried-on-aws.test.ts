import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../infra/aws/names.ts';

const read = (...path: string[]) => readFileSync(join(PROJECT_ROOT, ...path), 'utf8');
const titles = ['test/system/aws', 'test/system/stack'].flatMap((folder) =>
  readdirSync(join(PROJECT_ROOT, folder))
    .filter((file) => file.endsWith('.ts') && file !== 'not-tried-on-aws.test.ts')
    .flatMap((file) => [...read(folder, file).matchAll(/\(not played: ([^)]+)\)['"]/g)])
    .map(([, what = '']) => what),
);
const rows = [...read('docs/operations/not-tried-on-aws.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
  ([, what = '']) => what,
);

it('the list of what the stand-in for AWS cannot play is that of the titles of tests', () => {
  expect(rows.length).toBeGreaterThan(5);
  expect([...rows].sort()).toEqual([...new Set(titles)].sort());
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrichmentProperties } from '#shared/field-policy';
import { settingsSchema } from '../../../infra/aws/schemas.ts';
import { nextSteps } from '../../../infra/local/terminal.ts';
import about from '../../../package.json' with { type: 'json' };
import { startStandIns } from '../../harness/console.ts';
import {
  mentionedCommandsIn,
  onlyReads,
  problemOf,
  scriptsIn,
  typedCommandsIn,
  unknownNamesIn,
} from './commands.ts';
import { commandExamples } from './commands-page.ts';
import { allDocuments, brokenLinks, longSentences, readDocument } from './documents.ts';
import { GENERATED_PAGES } from './generated-pages.ts';

const ROOT = join(import.meta.dirname, '../../..');
const documents = allDocuments();
/** Without the changelog, which names commands that are gone. */
const guides = documents.filter(({ path }) =>
  /^(?:(?:README|ARCHITECTURE|CONTRIBUTING)\.md|docs\/(?:guides|explanation|decisions|reference\/(?!commands))|infra\/(?:hubspot-app|sandbox)\/README|shared\/)/.test(
    path,
  ),
);
const typed = guides.flatMap(({ path, text }) =>
  typedCommandsIn(text).map((words) => [path, words] as const),
);
const examples = typedCommandsIn((await commandExamples()).join('\n'));
const mentioned = guides.flatMap(({ text }) => mentionedCommandsIn(text));

/** Paths from the root in code spans. A guide's own file, such as a data folder, is in none of these folders. */
function pathsIn(text: string): readonly string[] {
  const paths = text.matchAll(/`((?:\.github|docs|functions|infra|shared|test)\/[\w./*{},-]*)`/g);
  return [...paths].map(([, path = '']) => path);
}

/** Each file of `a/{b,c}.ts` must exist. */
function spelledOut(path: string): readonly string[] {
  const [, before = '', names, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(',').map((name) => `${before}${name}${after}`);
}

function missingPaths(text: string): readonly string[] {
  return pathsIn(text)
    .flatMap(spelledOut)
    .filter((path) => globSync(path, { cwd: ROOT }).length === 0);
}

describe('every document', () => {
  it.each(documents.map((document) => [document.path, document] as const))(
    '%s has links that lead somewhere',
    (_, document) => {
      expect(brokenLinks(document)).toEqual([]);
    },
  );

  it.each(documents.map((document) => [document.path, document] as const))(
    '%s names files and folders that exist',
    (_, { text }) => {
      expect(missingPaths(text)).toEqual([]);
    },
  );

  it('finds a link to a missing file, and to a missing heading', () => {
    const text = '[a](missing.md) [b](README.md#missing) [c](README.md#try-it) [d](https://x.example)';
    expect(brokenLinks({ path: 'x.md', text })).toEqual(['missing.md', 'README.md#missing']);
  });
});

describe('the table of where it is decided', () => {
  const { text } = readDocument('ARCHITECTURE.md');
  const rows = [...text.matchAll(/^\| .* \| `(shared\/[\w./-]+)` \| `(\w+)` \|$/gm)];

  it('has its rows', () => {
    expect(rows.length).toBeGreaterThan(15);
  });

  it.each(rows.map(([, file = '', name = '']) => [file, name]))('%s has the function %s', (file, name) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toMatch(new RegExp(`function ${name}\\b`));
  });
});

describe('the guides', () => {
  it.each(typed.map(([path, words]) => [`${path}: ${words.join(' ')}`, words] as const))(
    '%s is accepted by the program',
    async (_, words) => {
      expect(await problemOf(words, { needsStack: false })).toBeUndefined();
    },
  );

  it.each(examples.map((words) => [words.join(' '), words] as const))(
    'the example %s of the command reference has all arguments, and no unknown option',
    async (_, words) => {
      const due = 'give the command an .example() with all its arguments';
      const problem = await problemOf(words, { needsStack: false });
      // An example can name a file that does not exist.
      expect([undefined, 'other'], `${problem?.message}: ${due}`).toContain(problem?.code);
    },
  );

  it.each([false, true])('npm start ends with commands that exist (after a month: %s)', async (month) => {
    const next = typedCommandsIn(nextSteps({ month, dataFolder: '.data' }).join('\n'));
    expect(next.length).toBeGreaterThan(3);
    expect(next.flatMap(unknownNamesIn)).toEqual([]);
  });

  it('mention only sub-commands and options that exist', () => {
    expect(
      mentioned.flatMap((words) => unknownNamesIn(words).map((name) => [words.join(' '), name])),
    ).toEqual([]);
    expect(unknownNamesIn(['doubts', 'lost', '--before'])).toEqual(['lost', '--before']);
  });

  it.each(guides.map(({ path, text }) => [path, text] as const))(
    '%s names scripts of package.json, and has no sentence of more than 25 words',
    (_, text) => {
      expect(scriptsIn(text).filter((name) => !(name in about.scripts))).toEqual([]);
      expect(longSentences(text)).toEqual([]);
    },
  );
});

describe('the commands of the guide to the laptop', () => {
  const reading = typedCommandsIn(readDocument('docs/guides/laptop.md').text).filter(onlyReads);
  let standIns: Awaited<ReturnType<typeof startStandIns>>;
  beforeAll(async () => {
    standIns = await startStandIns();
  });
  afterAll(() => standIns.stop());

  it.each(reading.map((words) => [words.join(' '), words] as const))('%s runs', async (_, words) => {
    const { code, out, err } = await standIns.run(words);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(`${out}${err}`.trim()).not.toBe('');
  });
});

describe('the README', () => {
  const { text } = readDocument('README.md');
  const section = (heading: string) => text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = (part: string) => part.split('\n').filter((line) => /^(?:-|\d+\.) /.test(line));

  it('says first which data service it needs, what it costs, and what has not been proved', () => {
    const first = lines(text.split('\n## ')[0] ?? '').join('\n');
    for (const page of ['data-service', 'measurements', 'hubspot', 'not-tried-on-aws'])
      expect(first).toContain(`/${page}.md`);
  });

  it.each(['What it does', 'What you need', 'What it costs', 'What it promises'])(
    '%s: each line links to what backs it',
    (heading) => {
      expect(lines(section(heading)).length).toBeGreaterThan(2);
      expect(lines(section(heading)).filter((line) => !line.includes(']('))).toEqual([]);
    },
  );

  it('links each guarantee once, and each guarantee links to its tests', () => {
    const page = readDocument('docs/explanation/guarantees.md').text;
    const guarantees = page.split(/\n## (?=\d)/).slice(1);
    const linked = [...section('What it promises').matchAll(/guarantees\.md#(\d+)-/g)].map(
      ([, number]) => number,
    );
    expect(linked).toEqual(guarantees.map((each) => each.split('.')[0]));
    expect(guarantees.filter((each) => !/\]\([./]*test\//.test(each))).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  const { text } = readDocument('CONTRIBUTING.md');

  it('names each generated page', () => {
    expect(GENERATED_PAGES.map(([path]) => path).filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
  });
});

it.each(GENERATED_PAGES)('the generated pages %s is up to date', async (path, page) => {
  expect(readDocument(path).text, 'npm run reference writes it').toBe(await page());
});

describe('the reference', () => {
  it('of settings names each setting of a deployment and each variable of a laptop, and no other', () => {
    const page = readDocument('docs/reference/settings.md').text;
    const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
    const variables = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(named.sort()).toEqual([...variables, ...Object.keys(settingsSchema.shape)].sort());
  });

  it('of HubSpot properties names each property that setup creates, and no other', () => {
    const page = readDocument('docs/reference/hubspot-properties.md').text;
    const named = [...page.matchAll(/`(enrichment_\w+)`/g)].map(([, name]) => name);
    const created = [...enrichmentProperties('contacts'), ...enrichmentProperties('companies')];
    expect([...new Set(named)].sort()).toEqual([...new Set(created.map(({ name }) => name))].sort());
  });
});

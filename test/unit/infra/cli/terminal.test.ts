import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { UpstreamError } from '#shared/kernel';
import { systemClock } from '#shared/kernel/adapters';
import { readProblem } from '../../../../infra/cli/commands/page.ts';
import { ownConnections } from '../../../../infra/cli/connection/connections.ts';
import { createProgram } from '../../../../infra/cli/run.ts';
import { progressLine } from '../../../../infra/cli/sheet-command.ts';
import { tableText } from '../../../../infra/cli/terminal/sheet.ts';
import { HELP } from '../../../../infra/local/settings.ts';
import about from '../../../../package.json' with { type: 'json' };
import { runCommand } from '../../../harness/console.ts';

describe('a table', () => {
  it('aligns its columns, numbers to the right, without lines or colours', () => {
    const rows = [
      ['Acme', 7],
      ['A much longer name', 1200],
    ];
    const text = tableText({ columns: ['name', 'credits'], rows }, { colours: false });
    expect(text).toBe(
      'name                credits\nAcme                      7\nA much longer name    1,200\n',
    );
  });

  it('paints its head where there are colours', () => {
    expect(tableText({ columns: ['name'], rows: [['Acme']] }, { colours: true })).toContain('\u001b[1mname');
  });

  it('lets no cell break its row or steer the terminal', () => {
    const rows = [['one\ntwo\u001b[2J\u0007\u202e', 'x'.repeat(500)]];
    const text = tableText({ columns: ['a', 'b'], rows }, { colours: false });
    expect(text.trimEnd().split('\n')).toHaveLength(2);
    expect(text).toContain('one two [2J');
    expect(text).toContain(`${'x'.repeat(59)}…`);
    for (const control of ['\u001b', '\u0007', '\u202e']) expect(text).not.toContain(control);
  });

  it('fits into the terminal: the widest columns give way, numbers stay whole', () => {
    const rows = [['contacts/123', 'a reason that is longer than the line', 'another such reason', 1200]];
    const columns = ['record', 'before', 'after', 'credits'];
    const text = tableText({ columns, rows }, { colours: false, width: 50 });
    expect(text).toBe(
      'record        before         after         credits\ncontacts/123  a reason tha…  another suc…    1,200\n',
    );
  });
});

describe('a progress line', () => {
  it('shows share, count, rate and time left', () => {
    expect(progressLine({ done: 50, total: 200, noun: 'results', elapsedMs: 5_000 })).toBe(
      '50 of 200 results, 10.0/s, 15 s left',
    );
  });

  it('counts where nobody knows the whole', () => {
    expect(progressLine({ done: 50, noun: 'records', elapsedMs: 5_000 })).toBe('50 records, 10.0/s');
  });

  it('promises no end while nothing is done', () => {
    expect(progressLine({ done: 0, total: 200, noun: 'results', elapsedMs: 5_000 })).toBe(
      '0 of 200 results, 0.0/s',
    );
  });
});

function refusal(name: string, message = 'a reason of AWS'): Error {
  return Object.assign(new Error(message), { name, $metadata: {} });
}

const NOT_ALLOWED =
  'User: arn:aws:sts::123456789012:assumed-role/team/a-person is not authorized to perform: dynamodb:Query on resource: a table';

describe('a problem of reading the tables of a stack', () => {
  it.each([
    [refusal('AccessDeniedException', NOT_ALLOWED), 'not-allowed', { action: 'dynamodb:Query' }],
    [refusal('ExpiredTokenException'), 'not-signed-in', { name: 'ExpiredTokenException' }],
    [Object.assign(new Error('none'), { name: 'CredentialsProviderError' }), 'not-signed-in', {}],
    [refusal('ResourceNotFoundException'), 'table-gone', { name: 'ResourceNotFoundException' }],
    [refusal('InternalServerError'), 'tables-silent', { name: 'InternalServerError' }],
    [Object.assign(refusal('Error'), { code: 'ECONNREFUSED' }), 'tables-silent', { name: 'ECONNREFUSED' }],
  ])('has its cause, and no person: %s', (error, code, params) => {
    const problem = readProblem(error, { isStack: true });
    expect(problem).toMatchObject({ code, params });
    expect(problem?.message).not.toContain('a-person');
  });

  it('is that of an error that explains itself', () => {
    const error = new UpstreamError({ code: 'CLOCK_WRONG', message: 'Set the clock', retryable: true });
    expect(readProblem(error, { isStack: true })).toMatchObject({ code: 'CLOCK_WRONG' });
  });

  it('is none for a mistake of the program', () => {
    expect(readProblem(new TypeError('x is not a function'), { isStack: true })).toBeUndefined();
    expect(readProblem('text', { isStack: false })).toBeUndefined();
  });
});

/** Every command with its words, in the order of the list. */
function commandsIn(command: Command, words: readonly string[] = []): (readonly string[])[] {
  return [words, ...command.commands.flatMap((each) => commandsIn(each, [...words, each.name()]))];
}

const io = { clock: systemClock, env: {}, out: () => undefined, err: () => undefined, colours: false };
const COMMANDS = commandsIn(createProgram({ io, end: () => undefined, connections: ownConnections }));

it.each(COMMANDS.map((words) => [words.join(' '), words] as const))(
  'help of "%s" fits into 80 columns',
  async (_, words) => {
    const { code, out } = await runCommand([...words, '--help'], { env: {} });
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

it('help of npm start does too', () => {
  expect(HELP.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

it('the version is that of the package', async () => {
  expect((await runCommand(['--version'], { env: {} })).out).toBe(`${about.version}\n`);
});

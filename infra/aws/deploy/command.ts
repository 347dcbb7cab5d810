import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AWS_TIMEOUTS } from '#shared/http';
import { addressIn, isUnanswered } from '../../unanswered.ts';
import { readStackSettings } from '../configuration.ts';
import { ConfigurationError } from '../configuration-faults.ts';
import { PROJECT_ROOT } from '../names.ts';
import type { Settings } from '../schemas.ts';

export interface Command {
  readonly settings: Settings;
  /** Settings from the command line, as `key=value`. */
  readonly overrides: readonly string[];
  /** Flags that were given, without the hyphens. */
  readonly flags: ReadonlySet<string>;
  /** Options with a value that were given, such as `at`. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Reads the settings of `cdk.json`. Settings on the command line (`-c key=value`, as in the CDK) override them.
 * @param knownFlags further flags of the command, such as `yes` for `--yes`
 * @param knownValues further options with a value, such as `at` for `--at 2026-11-21T02:00:00Z`
 * @throws ConfigurationError
 */
export function readCommand(
  args: readonly string[],
  knownFlags: readonly string[] = [],
  knownValues: readonly string[] = [],
): Command {
  const context = { type: 'string', short: 'c', multiple: true } as const;
  const flag = { type: 'boolean' } as const;
  const value = { type: 'string' } as const;
  const { context: overrides = [], ...others } = valuesOf(args, {
    ...Object.fromEntries(knownFlags.map((name) => [name, flag])),
    ...Object.fromEntries(knownValues.map((name) => [name, value])),
    context,
  });
  if (!overrides.every((text) => text.indexOf('=') > 0)) throw new ConfigurationError('not-a-setting', {});
  const own = JSON.parse(readFileSync(join(PROJECT_ROOT, 'cdk.json'), 'utf8')).context;
  const entries = overrides.map((text) => /^([^=]+)=(.*)$/s.exec(text)?.slice(1) ?? []);
  const given: readonly [string, unknown][] = Object.entries(others);
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return {
    settings: readStackSettings({ ...own, ...Object.fromEntries(entries) }),
    overrides,
    flags: new Set(given.filter(([, held]) => held === true).map(([name]) => name)),
    values: Object.fromEntries(given.filter(isText)),
  };
}

/** Writes the command with the same settings, for a person to type again. */
export function typed(script: string, { overrides }: Pick<Command, 'overrides'>): string {
  const settings = overrides.flatMap((text) => ['-c', quoted(text)]);
  return ['npm run', script, ...(settings.length > 0 ? ['--', ...settings] : [])].join(' ');
}

function quoted(text: string): string {
  return /^[\w.:/=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function valuesOf<T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ConfigurationError('wrong-option', { problem: error.message });
  }
}

export function contextArgs({ overrides }: Pick<Command, 'overrides'>): readonly string[] {
  return overrides.flatMap((text) => ['-c', text]);
}

/** Runs one of the commands. If it fails, prints its message and sets the exit code. */
export async function runCommand(
  command: (args: readonly string[], ask: Ask) => Promise<void>,
  args: readonly string[] = process.argv.slice(2),
  ask: Ask = askOnce,
): Promise<void> {
  try {
    await command(args, ask);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const known = isUnanswered(error)
      ? new ConfigurationError('aws-silent', { address: addressIn(error) ?? 'its address' })
      : error;
    console.error(known instanceof ConfigurationError ? known.message : `${error.name}: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Runs the installed CDK command line. @throws Error if its exit code is not 0 */
export async function runCdk(args: readonly string[]): Promise<void> {
  const code = await runNode(join(PROJECT_ROOT, 'node_modules/aws-cdk/bin/cdk'), args);
  if (code !== 0)
    throw new ConfigurationError('cdk-failed', { command: args[0] ?? '', exitCode: String(code) });
}

/** Runs a script on this terminal, with the environment of this process. @returns its exit code */
export async function runNode(script: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: PROJECT_ROOT,
    stdio: 'inherit',
    env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

export type Ask = (question: string) => Promise<string>;

/** Shows the question and reads one line from a terminal or a pipe. The end of the input counts as an empty line. */
export async function askOnce(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/**
 * Reads the caller and the region once, and stores both in the environment for the AWS clients and the CDK's command
 * line. So a profile with multi-factor authentication asks for one code, not one for each command.
 * @throws ConfigurationError if there are no credentials or no region
 */
export async function settleAccess(environment: NodeJS.ProcessEnv, ask: Ask): Promise<void> {
  // The CDK reads the region from two variables, but the SDK only from one.
  const named = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  // The client passes its settings to the credential providers, which ask for the code.
  const mfaCodeProvider = (serial: string) => ask(`Code of ${serial}: `);
  const access = { ...AWS_TIMEOUTS, ...(named && { region: named }), mfaCodeProvider };
  const client = new CloudFormationClient(access);
  try {
    const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials();
    environment['AWS_REGION'] = await client.config.region();
    environment['AWS_ACCESS_KEY_ID'] = accessKeyId;
    environment['AWS_SECRET_ACCESS_KEY'] = secretAccessKey;
    delete environment['AWS_SESSION_TOKEN'];
    if (sessionToken !== undefined) environment['AWS_SESSION_TOKEN'] = sessionToken;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ConfigurationError('no-access', { reason: error.message.replace(/\.$/, '') });
  } finally {
    client.destroy();
  }
  // A profile would take precedence over the keys.
  delete environment['AWS_PROFILE'];
  delete environment['AWS_DEFAULT_PROFILE'];
}

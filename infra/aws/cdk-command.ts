import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigurationError, readSettings } from './configuration.ts';
import { PROJECT_ROOT } from './project-root.ts';
import type { Settings } from './schemas.ts';

export interface Command {
  readonly settings: Settings;
  /** The settings that were given on the command line, as `key=value`. */
  readonly overrides: readonly string[];
}

/**
 * The settings of `cdk.json`, and over them those of the command line: `-c key=value`, as the CDK has it.
 * @throws ConfigurationError
 */
export function readCommand(args: readonly string[]): Command {
  const overrides = contextArguments(args);
  const given = overrides.map((text) => [
    text.slice(0, text.indexOf('=')),
    text.slice(text.indexOf('=') + 1),
  ]);
  const { context }: { context: Record<string, unknown> } = JSON.parse(
    readFileSync(join(PROJECT_ROOT, 'cdk.json'), 'utf8'),
  );
  return { settings: readSettings({ ...context, ...Object.fromEntries(given) }), overrides };
}

function contextArguments(args: readonly string[]): readonly string[] {
  try {
    const options = { context: { type: 'string', short: 'c', multiple: true } } as const;
    const { context = [] } = parseArgs({ args: [...args], options }).values;
    if (context.every((text) => text.indexOf('=') > 0)) return context;
    throw new ConfigurationError('A setting is given as -c key=value.');
  } catch (error) {
    if (error instanceof ConfigurationError || !(error instanceof Error)) throw error;
    throw new ConfigurationError(`${error.message} Settings are given as -c key=value.`);
  }
}

/** The CDK knows two names of the variable for the region, the SDK one of them: both mean the same here. */
export function agreeOnRegion(environment: NodeJS.ProcessEnv): void {
  const region = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  if (region !== undefined) environment['AWS_REGION'] = region;
}

/** Runs the CDK's command line as installed here, and ends with its exit code. @throws Error unless that is 0 */
export async function runCdk(args: readonly string[]): Promise<void> {
  const cdk = join(PROJECT_ROOT, 'node_modules/aws-cdk/bin/cdk');
  const child = spawn(process.execPath, [cdk, ...args], {
    cwd: PROJECT_ROOT,
    stdio: 'inherit',
    env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new ConfigurationError(`cdk ${args[0]} ended with code ${code}; see above.`);
}

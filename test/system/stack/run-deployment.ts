import { vi } from 'vitest';
import {
  ConfigurationError,
  type ConfigurationFault,
  type FaultFigures,
} from '../../../infra/aws/configuration-faults.ts';
import { back } from '../../../infra/aws/deploy/back.ts';
import { runCommand } from '../../../infra/aws/deploy/command.ts';
import { deploy } from '../../../infra/aws/deploy/deploy.ts';
import { destroy } from '../../../infra/aws/deploy/destroy.ts';
import { diff } from '../../../infra/aws/deploy/diff.ts';

const COMMANDS = { back, deploy, destroy, diff };
const SERVICE = ['-c', 'dataServiceBaseUrl=https://api.service.test'];

/** What a command prints if it refuses for this reason. */
export function refused<Code extends ConfigurationFault>(code: Code, params: FaultFigures<Code>): string {
  return `${new ConfigurationError(code, params).message}\n`;
}

/** Runs a command of `infra/aws/deploy` against a played account, without a terminal. */
export async function runDeployment(
  command: keyof typeof COMMANDS,
  url: string,
  ...flags: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  let output = '';
  const print = (line: unknown) => {
    output += `${line}\n`;
  };
  const prints = (['log', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(print));
  const keys = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'eu-central-1' };
  const absent = { AWS_SESSION_TOKEN: undefined, AWS_PROFILE: undefined, AWS_DEFAULT_PROFILE: undefined };
  for (const [name, value] of Object.entries({ ...keys, ...absent, AWS_ENDPOINT_URL: url }))
    vi.stubEnv(name, value);
  const codeBefore = process.exitCode;
  process.exitCode = 0;
  try {
    await runCommand(COMMANDS[command], [...SERVICE, ...flags], async () => '');
    return { code: process.exitCode, output };
  } finally {
    process.exitCode = codeBefore;
    vi.unstubAllEnvs();
    for (const each of prints) each.mockRestore();
  }
}

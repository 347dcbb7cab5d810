import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The versions that this was proved with. */
const TOOLS = ['cfn-lint==1.58.0', 'checkov==3.3.30'];
const ROOT = resolve(import.meta.dirname, '../../..');

/** Findings of cfn-lint and checkov in the synthesised template, and why they stay. */
const TEMPLATE_FINDINGS: readonly { readonly id: string; readonly reason: string }[] = [
  { id: 'W3005', reason: 'The CDK names dependencies that a reference implies; it changes nothing.' },
  {
    id: 'CKV_AWS_26',
    reason: 'Alarms contain only their name and a number; our own key would cost a dollar a month.',
  },
  { id: 'CKV_AWS_27', reason: "Queues are encrypted with SQS's own keys, which this rule does not know." },
  { id: 'CKV_AWS_115', reason: 'Small accounts refuse reserved concurrency; the event sources bound it.' },
  { id: 'CKV_AWS_116', reason: 'As for Serverless-LambdaDLQ in test/system/stack/findings.test.ts.' },
  {
    id: 'CKV_AWS_117',
    reason: 'It reaches nothing in a VPC, and a NAT gateway costs more than all the rest.',
  },
  { id: 'CKV_AWS_158', reason: 'Logs hold no values and no secrets; they are encrypted by CloudWatch.' },
  {
    id: 'CKV_AWS_165',
    reason:
      'The ledger has it. A copy of questions and records would outlive a privacy deletion; rates are measured again.',
  },
  { id: 'CKV_AWS_173', reason: 'Environments hold names; functions read secrets from their store.' },
];

/**
 * Two judges from outside over every template that `cdk synth` writes: cfn-lint (AWS's own, for what CloudFormation
 * takes) and checkov (for what is safe). Both from PyPI, in a folder that is thrown away. The last line counts.
 */
function main(folder: string): void {
  if (spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0) {
    console.log('No Python with venv and pip here: cfn-lint and checkov are not run.\n\n0 passed, 0 failed');
    return;
  }
  run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const tool = (name: string) => join(folder, 'venv/bin', name);
  run(tool('pip'), ['install', '--quiet', '--disable-pip-version-check', ...TOOLS]);
  run(join(ROOT, 'node_modules/.bin/cdk'), ['synth', '--quiet', '--output', join(folder, 'out')]);
  const templates = readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.template.json'));
  const files = templates.map((name) => join(folder, 'out', name));
  const found = [...lint(tool('cfn-lint'), files), ...check(tool('checkov'), files)];
  const known = new Set(TEMPLATE_FINDINGS.map(({ id }) => id));
  const faults = [
    ...(files.length > 0 ? [] : ['cdk synth wrote no template.']),
    ...found.filter(({ id }) => !known.has(id)).map(({ id, where }) => `${id}: ${where}`),
    ...[...known]
      .filter((id) => found.every((one) => one.id !== id))
      .map((id) => `${id} is not found any more.`),
  ];
  for (const fault of faults) console.log(fault);
  console.log(`${files.length} templates; acknowledged with a reason: ${[...known].sort().join(', ')}`);
  console.log(`\n${faults.length === 0 ? 2 : 0} passed, ${faults.length} failed`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

interface Finding {
  readonly id: string;
  readonly where: string;
}

interface LintMatch {
  readonly Rule: { readonly Id: string };
  readonly Message: string;
}

function lint(command: string, files: readonly string[]): Finding[] {
  const matches: readonly LintMatch[] = JSON.parse(
    run(command, ['--format', 'json', ...files], [2, 4, 6, 8]),
  );
  return matches.map(({ Rule, Message }) => ({ id: Rule.Id, where: Message }));
}

interface Checked {
  readonly results?: {
    readonly failed_checks: readonly { readonly check_id: string; readonly resource: string }[];
  };
}

function check(command: string, files: readonly string[]): Finding[] {
  const flags = [
    '--framework',
    'cloudformation',
    '--compact',
    '--quiet',
    '--skip-download',
    '--output',
    'json',
  ];
  const told: Checked | readonly Checked[] = JSON.parse(run(command, [...flags, '--file', ...files], [1]));
  return [told]
    .flat()
    .flatMap(({ results }) =>
      (results?.failed_checks ?? []).map(({ check_id: id, resource: where }) => ({ id, where })),
    );
}

/** @param fine statuses beside 0 that only say that something was found. @returns standard output. */
function run(command: string, flags: readonly string[], fine: readonly number[] = []): string {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1_048_576 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, flags, options);
  if (status === 0 || fine.includes(status ?? -1)) return stdout;
  throw new Error(`${command} ended with ${status}: ${error?.message ?? stderr.slice(-2_000)}`);
}

const folder = mkdtempSync(join(tmpdir(), 'templates-'));
try {
  main(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Bundle, bundleAll, FUNCTION_ENTRIES } from '../../harness/bundle.ts';
import { ENVIRONMENT } from '../../harness/lambda-surroundings.ts';
import { percentile, type Row, table } from './table.ts';

const STARTS = 15;

const HEADER = [
  'bundle',
  'size',
  'modules',
  'import, median',
  'fastest',
  'processor time',
  'memory after it',
];

const EXPLANATION = `Each start is a Node ${process.version} process of its own, with the same environment. Memory is the resident set of the process.`;

/** Measures the code that a cold start of each function reads. */
export async function measureBundles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  try {
    const ours = await bundleAll({ entries: FUNCTION_ENTRIES, folder });
    const measured = Object.entries<Bundle>(ours).map(([name, made]) => ({
      name,
      made,
      starts: [] as Start[],
    }));
    // Alternates the functions, so that other work on the machine slows all of them equally.
    for (let round = 0; round < STARTS; round += 1)
      for (const { made, starts } of measured) starts.push(await start(made.file));
    return [table(HEADER, measured.map(rowOf)), EXPLANATION].join('\n\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf({ name, made, starts }: { name: string; made: Bundle; starts: readonly Start[] }): Row {
  const median = (column: keyof Start) =>
    percentile(
      starts.map((each) => each[column]),
      0.5,
    ).toFixed(0);
  const fastest = Math.min(...starts.map(({ importMs }) => importMs)).toFixed(0);
  return [
    name.replaceAll('-', ' '),
    `${Math.round(made.bytes / 1_000)} KB`,
    made.modules.length,
    `${median('importMs')} ms`,
    `${fastest} ms`,
    `${median('processorMs')} ms`,
    `${median('memoryMb')} MB`,
  ];
}

interface Start {
  readonly importMs: number;
  readonly processorMs: number;
  readonly memoryMb: number;
}

const STARTING = `
const startedAt = performance.now();
const usage = process.cpuUsage();
await import(process.argv[1]);
const importMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(usage);
console.log(JSON.stringify({ importMs, processorMs: (user + system) / 1_000, memoryMb: process.memoryUsage.rss() / 1e6 }));
process.exit();
`;

async function start(file: string): Promise<Start> {
  const argv = ['--input-type=module', '-e', STARTING, file];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env: ENVIRONMENT });
  return JSON.parse(stdout) as Start;
}

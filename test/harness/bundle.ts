import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { BUNDLE_ALIASES, BUNDLE_EXTERNALS, BUNDLE_OPTIONS } from '../../infra/aws/bundle-options.ts';
import { PROJECT_ROOT } from '../../infra/aws/names.ts';

export interface Bundle {
  readonly file: string;
  readonly bytes: number;
  /** Paths of all modules in the bundle. */
  readonly modules: readonly string[];
}

export interface BundleOrder<N extends string> {
  /** Entry file by name, relative to the project's root. */
  readonly entries: Readonly<Record<N, string>>;
  readonly folder: string;
}

/** Bundles functions as the stack does. All at once, so that shared modules are read once. */
export async function bundleAll<N extends string>(order: BundleOrder<N>): Promise<Record<N, Bundle>> {
  const { entries, folder } = order;
  const { metafile } = await build({
    absWorkingDir: PROJECT_ROOT,
    entryPoints: entries,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    ...BUNDLE_OPTIONS,
    alias: BUNDLE_ALIASES,
    external: [...BUNDLE_EXTERNALS],
    metafile: true,
  });
  const named = (Object.keys(entries) as N[]).map((name) => [name, bundleOf(metafile, folder, name)]);
  return Object.fromEntries(named);
}

function bundleOf({ outputs }: Metafile, folder: string, name: string): Bundle {
  const output = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}.mjs`))?.[1];
  if (!output) throw new Error(`There is no bundle of ${name}.`);
  const modules = Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path] : [],
  );
  return { file: join(folder, `${name}.mjs`), bytes: output.bytes, modules };
}

/** The six functions. */
export const FUNCTION_ENTRIES = {
  'receive-webhook': 'functions/receive-webhook/main.ts',
  'enrich-records': 'functions/enrich-records/main.ts',
  'refresh-stale': 'functions/refresh-stale/main.ts',
  reconcile: 'functions/reconcile/main.ts',
  'report-spend': 'functions/report-spend/main.ts',
  'serve-hubspot': 'functions/serve-hubspot/main.ts',
} as const;

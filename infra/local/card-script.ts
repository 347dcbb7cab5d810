import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CARDS = join(ROOT, 'infra/hubspot-app/src/app/cards');
const HOST = join(ROOT, 'infra/sandbox/hubspot/extensions/host/host.ts');

/** The page's own code and the card behind it, for a browser. @param address where the installation answers. */
export async function cardScript(address: string): Promise<string> {
  // Loaded only here: most starts of a process show no card.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    // First the page: the card looks for what the page gives it.
    stdin: {
      contents: `import '${HOST}';\nimport './enrichment-card.tsx';`,
      resolveDir: CARDS,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'address',
        setup: ({ onLoad }) => {
          const contents = `export const ADDRESS = ${JSON.stringify(address)};`;
          onLoad({ filter: /cards\/address\.ts$/ }, () => ({ contents, loader: 'ts' }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** Bundled at the first page that shows it. */
export function cardOnce(address: string): () => Promise<string> {
  let bundled: Promise<string> | undefined;
  return () => {
    bundled ??= cardScript(address);
    return bundled;
  };
}

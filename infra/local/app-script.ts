import { join } from 'node:path';
import type { AppPlace, Script } from '../sandbox/hubspot/verbs.ts';

const ROOT = join(import.meta.dirname, '../..');
const CARDS = join(ROOT, 'infra/hubspot-app/src/app/cards');
const HOST = join(ROOT, 'infra/sandbox/hubspot/extensions/host/host.ts');

const ENTRIES: Readonly<Record<AppPlace, string>> = {
  card: './enrichment-card.tsx',
  home: '../pages/pages.tsx',
};

/**
 * Bundles the host page's code and then the app's code for a browser.
 * @param address public address of the installation.
 * @param spendPage address of the spend page, for a link.
 */
export async function appScript(address: string, place: AppPlace, spendPage = ''): Promise<string> {
  // esbuild is loaded only here, because most processes show no card.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    // The host page's code runs first, because it sets globals that the app uses.
    stdin: {
      contents: `import '${HOST}';\nimport '${ENTRIES[place]}';`,
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
          const [main, spend] = [address, spendPage].map((each) => JSON.stringify(each));
          const contents = `export const ADDRESS = ${main};\nexport const SPEND_PAGE = ${spend};`;
          onLoad({ filter: /cards\/address\.ts$/ }, () => ({ contents, loader: 'ts' }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

export function appScripts(address: string, spendPage: string): Script {
  const bundled: Partial<Record<AppPlace, Promise<string>>> = {};
  return (place) => {
    bundled[place] ??= appScript(address, place, spendPage);
    return bundled[place];
  };
}

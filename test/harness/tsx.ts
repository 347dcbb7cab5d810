import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

/**
 * Lets this process import `.tsx` from now on, because Node strips types but not JSX. Affects only later dynamic
 * imports.
 */
export function registerTsx(): void {
  registerHooks({
    load: (url, context, next) => {
      if (!url.endsWith('.tsx')) return next(url, context);
      const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
        loader: 'tsx',
        jsx: 'automatic',
        sourcemap: 'inline',
        sourcefile: url,
      });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}

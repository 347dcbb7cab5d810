import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_PAGES } from './generated-pages.ts';

/** `npm run reference`: writes the pages that are generated from the code. */
for (const [path, page] of GENERATED_PAGES) {
  writeFileSync(join(import.meta.dirname, '../../..', path), await page());
  console.log(`Written: ${path}`);
}

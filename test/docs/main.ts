import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSUMPTIONS_PAGE, assumptionsPage, NOT_TRIED_PAGE, notTriedPage } from './assumptions-page.ts';
import { COMMANDS_PAGE, commandsPage } from './commands-page.ts';

const PAGES = {
  [COMMANDS_PAGE]: await commandsPage(),
  [ASSUMPTIONS_PAGE]: assumptionsPage(),
  [NOT_TRIED_PAGE]: notTriedPage(),
};

/** `npm run reference`: writes the pages that are made of the code. */
for (const [path, text] of Object.entries(PAGES)) {
  writeFileSync(join(import.meta.dirname, '../..', path), text);
  console.log(`Written: ${path}`);
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS_PAGE, commandsPage } from './commands-page.ts';

/** `npm run reference`: writes the command reference from the program's help. */
writeFileSync(join(import.meta.dirname, '../..', COMMANDS_PAGE), await commandsPage());
console.log(`Written: ${COMMANDS_PAGE}`);

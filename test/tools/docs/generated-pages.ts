import { join } from 'node:path';
import { ARCHITECTURE, withPicture } from '../layers/module-order.ts';
import { STORED_DATA, withStoredKindTable } from '../style/stored-kind-faults.ts';
import { ALARMS_PAGE, alarmsPage } from './alarms-page.ts';
import { ASSUMPTIONS_PAGE, assumptionsPage } from './assumptions-page.ts';
import { COMMANDS_PAGE, commandsPage } from './commands-page.ts';
import { readDocument } from './documents.ts';
import { POLICY_PAGE, policyPage } from './policy-page.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Pages that are generated from the code, completely or in part, with their text. */
export const GENERATED_PAGES: readonly (readonly [path: string, page: () => string | Promise<string>])[] = [
  [COMMANDS_PAGE, commandsPage],
  [POLICY_PAGE, policyPage],
  [ALARMS_PAGE, alarmsPage],
  [ASSUMPTIONS_PAGE, assumptionsPage],
  [STORED_DATA, () => withStoredKindTable(readDocument(STORED_DATA).text)],
  [ARCHITECTURE, () => withPicture(readDocument(ARCHITECTURE).text, ROOT)],
];

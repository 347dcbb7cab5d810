import { ALARMS_PAGE, alarmsPage } from './alarms-page.ts';
import { ASSUMPTIONS_PAGE, assumptionsPage, NOT_TRIED_PAGE, notTriedPage } from './assumptions-page.ts';
import { COMMANDS_PAGE, commandsPage } from './commands-page.ts';
import { POLICY_PAGE, policyPage } from './policy-page.ts';

/** Pages of the reference that are made of the code, and what they have to say. */
export const GENERATED_PAGES: readonly (readonly [path: string, page: () => string | Promise<string>])[] = [
  [COMMANDS_PAGE, commandsPage],
  [POLICY_PAGE, policyPage],
  [ALARMS_PAGE, alarmsPage],
  [ASSUMPTIONS_PAGE, assumptionsPage],
  [NOT_TRIED_PAGE, notTriedPage],
];

import { createPageRouter, PageRoutes } from '@hubspot/ui-extensions/pages';
import { PACE } from '../cards/use-request.ts';
import { ActivityPage } from './activity.tsx';
import { type PageOptions, PageSettings } from './decision.tsx';
import { Frame } from './frame.tsx';
import { HomePage } from './home.tsx';
import { FindingsPage } from './review.tsx';
import { RulesPage } from './rules.tsx';

const PageRouter = createPageRouter(
  <PageRoutes layoutComponent={Frame}>
    <PageRoutes.IndexRoute component={HomePage} />
    <PageRoutes.Route path="/rules" component={RulesPage} />
    <PageRoutes.Route path="/review" component={FindingsPage} />
    <PageRoutes.Route path="/activity" component={ActivityPage} />
  </PageRoutes>,
);

/** The app's pages: home, rules, review and activity. Tests give a pace. */
export function AppPages({ pace = PACE, ...settings }: Partial<PageOptions>) {
  return (
    <PageSettings.Provider value={{ ...settings, pace }}>
      <PageRouter />
    </PageSettings.Provider>
  );
}

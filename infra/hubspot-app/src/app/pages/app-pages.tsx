import { createPageRouter, PageRoutes } from '@hubspot/ui-extensions/pages';
import { PACE, type PollPace } from '../cards/use-request.ts';
import { ActivityPage } from './activity.tsx';
import { Frame, PageSettings } from './frame.tsx';
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

export interface AppPagesProps {
  readonly portalId?: number | undefined;
  /** How often the page polls for a decision. For tests. */
  readonly pace?: PollPace;
}

/** The app's pages: home, rules, review and activity. */
export function AppPages({ portalId, pace = PACE }: AppPagesProps) {
  return (
    <PageSettings.Provider value={{ portalId, pace }}>
      <PageRouter />
    </PageSettings.Provider>
  );
}

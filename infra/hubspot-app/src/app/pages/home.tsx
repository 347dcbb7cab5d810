import { hubspot } from '@hubspot/ui-extensions';
import { HomePage } from './home-page.tsx';

// Last, because HubSpot may draw the page at once.
hubspot.extend<'home'>(({ context }) => <HomePage portalId={context.portal.id} />);

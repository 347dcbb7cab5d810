import { hubspot } from '@hubspot/ui-extensions';
import { HomePage } from './home-page.tsx';

// This call is last, because HubSpot can draw the page at once.
hubspot.extend<'pages'>(({ context }) => <HomePage portalId={context.portal.id} />);

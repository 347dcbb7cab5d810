import { hubspot } from '@hubspot/ui-extensions';
import { AppPages } from './app-pages.tsx';

// This call is last, because HubSpot can draw the page at once.
hubspot.extend<'pages'>(({ context }) => <AppPages portalId={context.portal.id} />);

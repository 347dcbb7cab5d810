import { hubspot } from '@hubspot/ui-extensions';
import { AppPages } from './app-pages.tsx';

// This call is last, because HubSpot can draw the page at once.
hubspot.extend<'pages'>(({ context, actions }) => (
  <AppPages portalId={context.portal.id} onCopy={(text) => void actions.copyTextToClipboard(text)} />
));

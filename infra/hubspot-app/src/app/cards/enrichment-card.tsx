import { type ExtensionPointApi, hubspot } from '@hubspot/ui-extensions';
import { RecordCard } from './record-card.tsx';
import type { CardObjectType } from './service.ts';

type Api = Pick<ExtensionPointApi<'crm.record.tab'>, 'context' | 'actions'>;

/** Object types by HubSpot's type ids. */
const OBJECT_TYPES: Readonly<Record<string, CardObjectType>> = { '0-1': 'contacts', '0-2': 'companies' };

function EnrichmentCard({ context, actions }: Api) {
  const { objectId, objectTypeId } = context.crm;
  const objectType = OBJECT_TYPES[objectTypeId];
  if (!objectType) return null;
  return (
    <RecordCard
      record={{ objectType, id: String(objectId) }}
      portalId={context.portal.id}
      isNarrow={String(context.location) === 'crm.record.sidebar'}
      onChange={() => actions.refreshObjectProperties()}
    />
  );
}

// This call is last, because HubSpot can draw the card at once.
hubspot.extend<'crm.record.tab'>(({ context, actions }) => (
  <EnrichmentCard context={context} actions={actions} />
));

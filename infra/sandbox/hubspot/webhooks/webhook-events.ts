import { type ObjectTypeId, singularName } from '../objects/object-types.ts';
import type { Actor, Portal } from '../portal.ts';
import type { SandboxSettings } from '../settings.ts';
import type { WebhookPayload } from './pending-event.ts';

export type EventKind =
  | 'creation'
  | 'propertyChange'
  | 'deletion'
  | 'privacyDeletion'
  | 'merge'
  | 'restore'
  | 'associationChange';

export interface PortalEvent {
  readonly kind: EventKind;
  readonly typeId: ObjectTypeId;
  readonly objectId: string;
  readonly actor: Actor;
  /** For `propertyChange`: the property that a subscription must name. */
  readonly propertyName?: string;
  /** Further fields of the payload. */
  readonly fields?: WebhookPayload;
}

/** Properties whose changes are never announced. HubSpot refuses subscriptions to them. */
const NEVER_ANNOUNCED = ['hs_lastmodifieddate', 'num_unique_conversion_events'];

/** Event ids are drawn below this number. */
const EVENT_IDS = 2 ** 31;

/** Longest delay of the second copy of an event, milliseconds. */
const DUPLICATE_LAG_MS = 10_000;

/** Queues the event once for each matching subscription. Without a matching subscription, the event is dropped. */
export function announce(portal: Portal, event: PortalEvent): void {
  if (portal.state.settings.lostEvents.includes(event.kind)) return;
  if (event.propertyName !== undefined && NEVER_ANNOUNCED.includes(event.propertyName)) return;
  for (const subscriptionId of matchingSubscriptions(portal.state.settings, event)) {
    const payload = payloadOf(portal, { event, subscriptionId });
    const creationOf = event.kind === 'creation' ? `${event.typeId}:${event.objectId}` : undefined;
    if (creationOf) portal.state.creations[creationOf] = { payload, lastAttempt: 0 };
    enqueue(portal, { payload, attempt: 0, ...(creationOf && { creationOf }) });
    if (portal.random() < portal.state.settings.duplicateRate) {
      const delayMs = portal.random() < 0.5 ? 0 : Math.floor(portal.random() * DUPLICATE_LAG_MS);
      enqueue(portal, { payload, attempt: 0, delayMs });
    }
  }
}

/** Queues the creation event of a record again. @returns false if there is none. */
export function announceAgain(portal: Portal, creationOf: string): boolean {
  const creation = portal.state.creations[creationOf];
  if (!creation) return false;
  creation.lastAttempt += 1;
  enqueue(portal, { payload: creation.payload, attempt: creation.lastAttempt, creationOf });
  return true;
}

interface Entry {
  readonly payload: WebhookPayload;
  readonly attempt: number;
  readonly creationOf?: string;
  readonly delayMs?: number;
}

function enqueue(portal: Portal, { delayMs = 0, ...entry }: Entry): void {
  const key = portal.state.nextEventKey++;
  portal.state.pendingEvents.push({ key, dueAt: portal.clock.now() + delayMs, ...entry });
  portal.wake.resolve();
}

/** Ids of the active subscriptions that match the event. An id is the subscription's number in the list. */
function matchingSubscriptions({ subscriptions }: SandboxSettings, event: PortalEvent): number[] {
  const objectType = singularName(event.typeId);
  const crm = subscriptions.crmObjects.map(
    (one) =>
      one.active &&
      one.objectType === objectType &&
      one.subscriptionType.endsWith(`.${event.kind}`) &&
      (event.kind !== 'propertyChange' || one.propertyName === event.propertyName),
  );
  const hub = subscriptions.hubEvents.map(
    (one) => one.active && one.subscriptionType === `${objectType}.${event.kind}`,
  );
  return [...crm, ...hub].flatMap((wanted, index) => (wanted ? [7_662_001 + index] : []));
}

function payloadOf(
  portal: Portal,
  { event, subscriptionId }: { event: PortalEvent; subscriptionId: number },
): WebhookPayload {
  const { settings } = portal.state;
  const classic = settings.eventStyle === 'classic' || event.kind === 'privacyDeletion';
  const prefix = classic ? singularName(event.typeId) : 'object';
  return {
    eventId: Math.floor(portal.random() * EVENT_IDS),
    subscriptionId,
    portalId: settings.portalId,
    appId: settings.appId,
    occurredAt: portal.clock.now(),
    subscriptionType: `${prefix}.${event.kind}`,
    objectId: Number(event.objectId),
    ...(classic ? {} : { objectTypeId: event.typeId }),
    changeSource: changeSourceOf(settings, event.actor),
    sourceId: event.actor.sourceId,
    ...event.fields,
  };
}

function changeSourceOf(settings: SandboxSettings, { sourceType }: Actor): string {
  if (sourceType === 'INTEGRATION') return settings.changeSource;
  return sourceType === 'CRM_UI' ? settings.personChangeSource : sourceType;
}

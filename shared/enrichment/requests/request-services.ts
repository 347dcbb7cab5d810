import type { EndedDoubtServices, GatewayServices } from '#shared/questions';
import type { EnrichmentServices } from '../services.ts';
import type { RequestItems } from './items.ts';

/** Services that the worker needs for people's requests. */
export interface RequestServices extends EnrichmentServices, RequestItems {
  readonly questions: EndedDoubtServices &
    Pick<GatewayServices, 'breakers' | 'storeClock' | 'digest' | 'policy' | 'items'>;
}

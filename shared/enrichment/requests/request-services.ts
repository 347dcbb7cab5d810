import type { GatewayServices, SweptQuestions } from '#shared/questions';
import type { BackfillItems } from '../backfill/members.ts';
import type { EnrichmentServices } from '../services.ts';
import type { RequestItems } from './items.ts';

/** Services that the worker needs for people's requests. */
export interface RequestServices extends EnrichmentServices {
  readonly backfills: BackfillItems['backfills'];
  readonly requests: RequestItems;
  readonly questions: SweptQuestions & Pick<GatewayServices, 'breakers' | 'digest' | 'policy' | 'items'>;
}

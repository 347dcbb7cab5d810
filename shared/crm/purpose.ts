/** What a question is asked for: by an event, by a scan for what is stale, over a whole portal, by a person. */
export const PURPOSES = ['live', 'refresh', 'backfill', 'manual'] as const;
export type Purpose = (typeof PURPOSES)[number];

export {
  createClaims,
  createCounted,
  createCursors,
  createDynamoDailyYield,
  createDynamoWriteBreakers,
  createIndexLag,
  createPortal,
  createPortalId,
  createRecordPasses,
  createRetentionPasses,
  createWriteJournal,
} from './stores.dynamo.ts';

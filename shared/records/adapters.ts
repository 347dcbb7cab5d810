export {
  createClaims,
  createCounted,
  createCursors,
  createDynamoDailyYield,
  createDynamoWriteBreakers,
  createIndexLag,
  createPortal,
  createPortalToRead,
  createRecordPasses,
  createRetentionPasses,
  createWriteJournal,
} from './stores.dynamo.ts';

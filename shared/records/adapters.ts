export {
  createClaims,
  createCounted,
  createCursors,
  createDynamoDailyBrought,
  createDynamoWriteBreakers,
  createIndexLag,
  createPortal,
  createPortalToRead,
  createRecordRounds,
  createRetentionPasses,
  createWriteJournal,
} from './stores.dynamo.ts';

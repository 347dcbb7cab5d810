export {
  createClaims,
  createCounted,
  createCursors,
  createDynamoDailyBrought,
  createDynamoWriteBreakers,
  createIndexLag,
  createPortal,
  createPortalId,
  createRecordRounds,
  createRetentionPasses,
  createWriteJournal,
} from './stores.dynamo.ts';

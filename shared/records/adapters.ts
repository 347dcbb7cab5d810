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
  createWriteJournal,
} from './stores.dynamo.ts';

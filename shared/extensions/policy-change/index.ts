export { type AppliedReport, applyPolicy } from './apply.ts';
export {
  type ArchiveServices,
  archiveOnce,
  beginApply,
  endApply,
  findApply,
  findPolicy,
  policyAt,
} from './archive.ts';
export { comparePolicies, type PolicyComparison, type PropertyDifference, planStored } from './compare.ts';
export { archivedPolicyKind } from './stored-kinds.ts';

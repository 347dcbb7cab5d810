export { type AppliedReport, applyPolicy } from './apply.ts';
export {
  applyWriter,
  archiveStep,
  beginApply,
  endApply,
  findApply,
  findPolicy,
  policyAt,
} from './archive.ts';
export { comparePolicies, type PolicyComparison, type PropertyDifference } from './compare.ts';
export { archivedPolicyKind } from './stored-kinds.ts';

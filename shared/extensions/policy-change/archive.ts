import type { SweepStep } from '#shared/enrichment';
import { type Policy, parsePolicy } from '#shared/field-policy';
import type { Clock, Digest, NewId } from '#shared/kernel';
import { change, type IndexedItems, type OpenItems } from '#shared/store';
import type { BulkWriter } from '#shared/take-back';
import { type ArchivedPolicy, MAX_APPLIES } from './schemas.ts';
import { archivedPolicyKind } from './stored-kinds.ts';

export interface ArchiveServices {
  readonly policies: IndexedItems<ArchivedPolicy>;
  readonly digest: Pick<Digest, 'sha256'>;
  readonly clock: Clock;
}

const ALL = archivedPolicyKind.partition('policies');

/** Enough digits to distinguish the policies of one installation. */
const HASH_DIGITS = 12;

function policyHash(policy: Policy, digest: Pick<Digest, 'sha256'>): string {
  return digest.sha256(JSON.stringify(policy)).slice(0, HASH_DIGITS);
}

/** Stores the policy in force, once for each change, so that `policy compare --against` can name it later. */
export async function archivePolicy(services: ArchiveServices, policy: Policy): Promise<void> {
  await changePolicy(services, policy, (known) => ({
    value: known ? undefined : newArchived(services, policy),
  }));
}

/** Stores the policy in the first sweep of a process. */
export function archiveStep({ open }: { readonly open: OpenItems }): SweepStep {
  const policies = open(archivedPolicyKind);
  let isArchived = false;
  return {
    name: 'policy',
    place: 'admission',
    take: async ({ digest, clock, policy }) => {
      if (isArchived) return;
      await archivePolicy({ policies, digest, clock }, policy);
      isArchived = true;
    },
  };
}

/**
 * Finds a policy that was in force.
 * @param name the policy's version, or else its hash or the first digits of its hash. The newest match wins.
 */
export async function findPolicy(
  { policies }: Pick<ArchiveServices, 'policies'>,
  name: string,
): Promise<Policy | undefined> {
  const all = await policies.list({ partition: ALL, newestFirst: true });
  const found = all.find(({ version }) => version === name) ?? all.find(({ hash }) => hash.startsWith(name));
  return found && parsePolicy(JSON.parse(found.json));
}

/** Finds the policy that was in force at a time; `undefined` if the sweep had not stored one yet. */
export async function policyAt(
  { policies }: Pick<ArchiveServices, 'policies'>,
  atMs: number,
): Promise<Policy | undefined> {
  const all = await policies.list({ partition: ALL, newestFirst: true });
  const found = all.find(({ archivedAtMs }) => archivedAtMs <= atMs);
  return found && parsePolicy(JSON.parse(found.json));
}

/** Finds a policy apply by its id. */
export async function findApply(
  { policies }: Pick<ArchiveServices, 'policies'>,
  id: string,
): Promise<ArchivedPolicy['applies'][number] | undefined> {
  const archived = await policies.list({ partition: ALL });
  return archived.flatMap(({ applies }) => applies).find((each) => each.id === id);
}

/** Policy applies as an undo sees them. */
export function applyWriter({
  open,
  clock,
}: {
  readonly open: OpenItems;
  readonly clock: Clock;
}): BulkWriter {
  const services = { policies: open(archivedPolicyKind), clock };
  return {
    option: 'apply',
    noun: 'Policy apply',
    find: async (id) => {
      const known = await findApply(services, id);
      return known && { startMs: known.begunAtMs, isWriting: known.endedAtMs === undefined };
    },
    stop: async (id) => {
      await endApply(services, id);
      return undefined;
    },
  };
}

/**
 * Begins a policy apply.
 * @returns the apply's id. An interrupted apply continues under its former id.
 */
export async function beginApply(
  services: ArchiveServices & { readonly newId: NewId },
  policy: Policy,
): Promise<string> {
  const fallback = services.newId();
  const { id } = await changePolicy(services, policy, (known = newArchived(services, policy)) => {
    const last = known.applies.at(-1);
    if (last && last.endedAtMs === undefined) return { id: last.id };
    const applies = [...known.applies, { id: fallback, begunAtMs: services.clock.now() }];
    return { id: fallback, value: { ...known, applies: applies.slice(-MAX_APPLIES) } };
  });
  return id;
}

/** Ends an apply. If it is still running, it writes no more. */
export async function endApply(
  { policies, clock }: Pick<ArchiveServices, 'policies' | 'clock'>,
  id: string,
): Promise<void> {
  const all = await policies.list({ partition: ALL });
  const archived = all.find(({ applies }) => applies.some((each) => each.id === id));
  if (!archived) return;
  const endedAtMs = clock.now();
  await change(policies, { key: archivedPolicyKind.key(archived.hash), kind: 'policy', clock }, (known) => {
    const applies = known?.applies.map((each) => (each.id === id ? { endedAtMs, ...each } : each));
    return { value: known && applies && { ...known, applies } };
  });
}

function newArchived({ digest, clock }: ArchiveServices, policy: Policy): ArchivedPolicy {
  const { version } = policy;
  const hash = policyHash(policy, digest);
  return { hash, version, json: JSON.stringify(policy), archivedAtMs: clock.now(), applies: [] };
}

function changePolicy<D extends { readonly value?: ArchivedPolicy | undefined }>(
  { policies, digest, clock }: ArchiveServices,
  policy: Policy,
  decide: (known: ArchivedPolicy | undefined) => D,
): Promise<D> {
  const key = archivedPolicyKind.key(policyHash(policy, digest));
  return change(policies, { key, kind: 'policy', clock }, decide);
}

import { type Policy, parsePolicy } from '#shared/field-policy';
import type { Clock, Digest, NewId } from '#shared/kernel';
import { change, type IndexedItems, type IndexPosition } from '#shared/versioned-items';
import { type ArchivedPolicy, MAX_APPLIES } from './schemas.ts';

export interface ArchiveServices {
  readonly policies: IndexedItems<ArchivedPolicy>;
  readonly digest: Pick<Digest, 'sha256'>;
  readonly clock: Clock;
}

/** Enough to tell the policies of one installation apart. */
const HASH_DIGITS = 12;

function policyHash(policy: Policy, digest: Pick<Digest, 'sha256'>): string {
  return digest.sha256(JSON.stringify(policy)).slice(0, HASH_DIGITS);
}

export function policyPlace({ archivedAtMs }: ArchivedPolicy): IndexPosition {
  return { partition: 'policies', order: archivedAtMs };
}

function policyKey(hash: string): string {
  return `policy#${hash}`;
}

/** Keeps the policy that is in force, once for each change of it: `policy compare --against` may name it later. */
export async function archivePolicy(services: ArchiveServices, policy: Policy): Promise<void> {
  await changePolicy(services, policy, (known) => ({ value: known ? undefined : fresh(services, policy) }));
}

/** Keeps it the first time, and nothing after it, for as long as the process lives. */
export function archiveOnce(services: ArchiveServices, policy: Policy): () => Promise<void> {
  let isKept = false;
  return async () => {
    if (isKept) return;
    await archivePolicy(services, policy);
    isKept = true;
  };
}

/**
 * A policy that was in force before.
 * @param name its version, or else its hash or the beginning of it: of several the newest.
 */
export async function findPolicy(
  { policies }: Pick<ArchiveServices, 'policies'>,
  name: string,
): Promise<Policy | undefined> {
  const all = await policies.list({ partition: 'policies', newestFirst: true });
  const found = all.find(({ version }) => version === name) ?? all.find(({ hash }) => hash.startsWith(name));
  return found && parsePolicy(JSON.parse(found.json));
}

/** A policy apply by its id. */
export async function findApply(
  { policies }: Pick<ArchiveServices, 'policies'>,
  id: string,
): Promise<ArchivedPolicy['applies'][number] | undefined> {
  const all = await policies.list({ partition: 'policies' });
  return all.flatMap(({ applies }) => applies).find((each) => each.id === id);
}

/** @returns the id under which all of it is written; where the last one was broken off, that one's. */
export async function beginApply(
  services: ArchiveServices & { readonly newId: NewId },
  policy: Policy,
): Promise<string> {
  const fallback = services.newId();
  const { id } = await changePolicy(services, policy, (known = fresh(services, policy)) => {
    const last = known.applies.at(-1);
    if (last && last.endedAtMs === undefined) return { id: last.id };
    const applies = [...known.applies, { id: fallback, begunAtMs: services.clock.now() }];
    return { id: fallback, value: { ...known, applies: applies.slice(-MAX_APPLIES) } };
  });
  return id;
}

/** It has ended, or may not write any more. */
export async function endApply(
  { policies, clock }: Pick<ArchiveServices, 'policies' | 'clock'>,
  id: string,
): Promise<void> {
  const all = await policies.list({ partition: 'policies' });
  const archived = all.find(({ applies }) => applies.some((each) => each.id === id));
  if (!archived) return;
  const endedAtMs = clock.now();
  await change(policies, { key: policyKey(archived.hash), kind: 'policy', clock }, (known) => {
    const applies = known?.applies.map((each) => (each.id === id ? { endedAtMs, ...each } : each));
    return { value: known && applies && { ...known, applies } };
  });
}

function fresh({ digest, clock }: ArchiveServices, policy: Policy): ArchivedPolicy {
  const { version } = policy;
  const hash = policyHash(policy, digest);
  return { hash, version, json: JSON.stringify(policy), archivedAtMs: clock.now(), applies: [] };
}

function changePolicy<D extends { readonly value?: ArchivedPolicy | undefined }>(
  { policies, digest, clock }: ArchiveServices,
  policy: Policy,
  decide: (known: ArchivedPolicy | undefined) => D,
): Promise<D> {
  const key = policyKey(policyHash(policy, digest));
  return change(policies, { key, kind: 'policy', clock }, decide);
}

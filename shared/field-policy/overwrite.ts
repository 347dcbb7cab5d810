import { assert, unreachable } from '#shared/kernel';
import type { Proposal } from './mapping/map-answer.ts';
import { type LastWritten, type Mark, membersOf, type Normalise } from './normal-form.ts';

/** Why a proposed value is not written. `not-read`: nobody knows what the property holds, so it is left alone. */
export type KeptReason = 'person-wrote' | 'cleared' | 'pinned' | 'same' | 'never' | 'not-blank' | 'not-read';

export interface OverwriteInput {
  readonly proposed: readonly Proposal[];
  /** What HubSpot holds now: `null` or `''` is blank, an absent property was not read. */
  readonly current: Readonly<Record<string, string | null>>;
  readonly lastWritten: LastWritten;
  /** By property: the mark of a value, blank included, that a person brought back; it counts as the person's. */
  readonly pinned?: LastWritten | undefined;
  readonly mark: Mark;
  /** Somebody asks for this record: what of ours was emptied may be filled again. */
  readonly asked?: boolean | undefined;
  /** Properties that somebody had filled: found blank, they stay so. */
  readonly filled?: ReadonlySet<string> | undefined;
  readonly normalise: Normalise;
}

export interface KeptProperty {
  readonly property: string;
  readonly reason: KeptReason;
}

export interface WriteDecision {
  /** Values to send, never empty; `;a;b` appends choices to a property that holds several. */
  readonly writes: Record<string, string>;
  readonly kept: KeptProperty[];
}

/**
 * Which proposed values may be written over what is there now. Nothing that says the same is ever written, so a
 * second run over its own result writes nothing.
 */
export function decideWrites(input: OverwriteInput): WriteDecision {
  const decision: WriteDecision = { writes: {}, kept: [] };
  for (const proposal of input.proposed) {
    const verdict = decide(proposal, input);
    if (verdict.kind === 'write') decision.writes[proposal.property] = verdict.value;
    else decision.kept.push({ property: proposal.property, reason: verdict.reason });
  }
  return decision;
}

type Verdict = { kind: 'write'; value: string } | { kind: 'keep'; reason: KeptReason };

function decide(proposal: Proposal, input: OverwriteInput): Verdict {
  const { property, value, rule } = proposal;
  assert(value.trim() !== '', 'a proposed value is never empty');
  if (rule.write === 'never') return keep('never');
  const current = Object.hasOwn(input.current, property) ? input.current[property] : undefined;
  if (current === undefined) return keep('not-read');
  if (rule.write !== 'always' && isPinned(property, current, input)) return keep('pinned');
  if (current === null || current.trim() === '') {
    const isCleared = rule.write !== 'always' && wasEmptied(property, input);
    return isCleared ? keep('cleared') : { kind: 'write', value };
  }
  const missing = missingPart(proposal, current, input.normalise);
  if (missing === undefined) return keep('same');
  return mayReplace(proposal, current, input) ?? { kind: 'write', value: missing };
}

/** What was ours or somebody's and is blank, somebody has emptied. */
function wasEmptied(property: string, { asked, lastWritten, filled }: OverwriteInput): boolean {
  return (!asked && Object.hasOwn(lastWritten, property)) || filled?.has(property) === true;
}

/** The reason why a value that is there and differs has to stay; `undefined` when it may be replaced. */
function mayReplace(
  { property, rule }: Proposal,
  current: string,
  input: OverwriteInput,
): Verdict | undefined {
  switch (rule.write) {
    case 'never':
      return keep('never');
    case 'fill-blank':
      return keep('not-blank');
    case 'always':
      return undefined;
    case 'ours': {
      const lastWritten = Object.hasOwn(input.lastWritten, property)
        ? input.lastWritten[property]
        : undefined;
      return lastWritten === input.mark(property, current) ? undefined : keep('person-wrote');
    }
    default:
      return unreachable(rule.write);
  }
}

function isPinned(property: string, current: string | null, { pinned = {}, mark }: OverwriteInput): boolean {
  return Object.hasOwn(pinned, property) && pinned[property] === mark(property, current);
}

/** What has to be sent for the property to say what is proposed; `undefined` when it says so already. */
function missingPart(
  { property, value, appends }: Proposal,
  current: string,
  normalise: Normalise,
): string | undefined {
  if (!appends) return normalise(property, current) === normalise(property, value) ? undefined : value;
  // Choices are only ever added: without the leading semicolon HubSpot would drop those that are there.
  const present = new Set(membersOf(current));
  const missing = membersOf(value).filter((member) => !present.has(member));
  return missing.length === 0 ? undefined : `;${missing.join(';')}`;
}

function keep(reason: KeptReason): Verdict {
  return { kind: 'keep', reason };
}

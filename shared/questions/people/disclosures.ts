import { keyInPortal, nameForBuyer } from '#shared/crm';
import { change, type VersionedItems } from '#shared/store';
import { identityOf, type QuestionOperation } from '../question.ts';
import type { DisclosedRequest, Disclosure } from '../schemas.ts';
import { disclosureKind, type SideItemServices } from '../stored-kinds.ts';
import {
  type Delivery,
  type DisclosedPerson,
  endedDisclosure,
  forgotten,
  withRecord,
  withRequest,
} from './disclosure-transitions.ts';
import { addLink, readLinks } from './links.ts';
import { type IdentifierKeys, namesPerson } from './suppression-list.ts';

/**
 * Stores disclosure records: the lookups of a person with time and source, and the HubSpot records that received
 * values. Holds no values.
 */
export interface Disclosures {
  /** Notes that a source looked up a person. Safe to repeat. */
  requested(person: DisclosedPerson, request: DisclosedRequest): Promise<void>;
  /** Notes that values are about to be written to a HubSpot record. Safe to repeat. */
  delivered(person: DisclosedPerson, delivery: Delivery): Promise<void>;
  /**
   * Reads the disclosure records of these keyed hashes, directly and by the index. After a wrong match, the index may
   * lead to another person's record; see `disclosuresOfPerson`.
   */
  of(identifiers: readonly string[]): Promise<readonly Disclosure[]>;
  /**
   * Ends the disclosure records of a person whose last values were removed. The records stay as the proof.
   * @param isHeld whether values of the record's person remain. After a wrong match, the record may be another
   * person's.
   */
  end(identifiers: readonly string[], isHeld: (item: Disclosure) => Promise<boolean>): Promise<void>;
  /** Removes everything but the proof. @returns the number of disclosure records. */
  forget(identifiers: readonly string[]): Promise<number>;
}

interface DisclosureServices extends SideItemServices {
  readonly items: VersionedItems<Disclosure>;
  readonly clock: SideItemServices['clock'] & { now(): number };
}

/**
 * Chooses the key of a person's disclosure record. It is the question's key if the question had an address or a
 * profile, otherwise the key of the answer's first address or profile. If there is none, it is the question's key,
 * although two people may share the question's identifiers.
 */
export function disclosedPerson(
  question: { readonly key: string; readonly operation: QuestionOperation },
  { sure }: Pick<IdentifierKeys, 'sure'>,
): DisclosedPerson {
  const identity = identityOf(question.key);
  const identifiers = [...new Set([...(namesPerson(question) ? [identity] : []), ...sure])];
  return { person: identifiers[0] ?? identity, identifiers };
}

/** Limit of the cache: more people than a worker handles at once. */
const MAX_CACHED = 1_000;

export function createDisclosures(services: DisclosureServices): Disclosures {
  const { items, clock, owners } = services;
  const itemOf = (person: string) => ({ key: disclosureKind.key(person), kind: 'disclosure record', clock });
  // Caches written items, because a worker notes the delivery soon after the request.
  const written: NonNullable<Parameters<typeof change<Disclosure, object>>[1]['written']> = new Map();
  const cache = () => {
    if (written.size > MAX_CACHED) written.clear();
    return { written };
  };
  const indexPerson = async (identifiers: readonly string[], person: string) => {
    const others = identifiers.filter((key) => key !== person);
    const link = { to: person };
    const nowMs = clock.now();
    await Promise.all(others.map((key) => addLink(services, { kind: 'disclosures', key, link, nowMs })));
  };
  const read = async (person: string) => (await items.read(disclosureKind.key(person)))?.value;
  const of = async (identifiers: readonly string[]) => {
    const [own, links] = await Promise.all([
      Promise.all(identifiers.map(read)),
      Promise.all(identifiers.map((key) => readLinks(services, 'disclosures', key))),
    ]);
    const others = new Set(links.flat()).difference(new Set(identifiers));
    const found = [...own, ...(await Promise.all([...others].map(read)))];
    return found.filter((item) => item !== undefined).map((item) => withOwnKeys(owners.portal, item));
  };
  return {
    requested: async (person, request) => {
      // After a crash between these two writes, both are repeated: before the charge is booked, or with the next
      // delivery.
      const put = change(items, { ...itemOf(person.person), ...cache(), isMostlyNew: true }, (known) => {
        const value = withRequest(known, person, request);
        return value === known ? {} : { value };
      });
      await Promise.all([put, indexPerson(person.identifiers, person.person)]);
    },
    delivered: async (person, delivery) => {
      const { known } = await change(items, { ...itemOf(person.person), ...cache() }, (known) => {
        const record = nameForBuyer(owners.portal, delivery.record);
        const value = withRecord(known, person, { ...delivery, record });
        return value === known ? { known } : { known, value };
      });
      const kept = known?.identifiers ?? [];
      await indexPerson(
        person.identifiers.filter((key) => !kept.includes(key)),
        person.person,
      );
    },
    of,
    end: async (identifiers, isHeld) => {
      for (const item of await of(identifiers)) {
        if (item.endedAtMs !== undefined || (await isHeld(item))) continue;
        await change(items, itemOf(item.person), (known) =>
          known ? { value: endedDisclosure(known, clock.now()) } : {},
        );
      }
    },
    forget: async (identifiers) => {
      const held = await of(identifiers);
      for (const { person } of held)
        await change(items, { ...itemOf(person), isForgetting: true }, (known) =>
          known && known.forgottenAtMs === undefined ? { value: forgotten(known, clock.now()) } : {},
        );
      return held.length;
    },
  };
}

/** Names this portal's records by their keys. Records of other portals keep their names. */
function withOwnKeys(portal: string, item: Disclosure): Disclosure {
  const named = <T extends { readonly record?: string | undefined }>(each: T): T =>
    each.record === undefined ? each : { ...each, record: keyInPortal(portal, each.record) ?? each.record };
  return { ...item, requests: item.requests.map(named), records: item.records.map(named) };
}

import { expect, it } from 'vitest';
import type { Evidence } from './oracle/evidence.ts';
import { whomFaults } from './oracle/records.ts';

const SECOND_MS = 1_000;
const RESERVED_MS = Date.UTC(2026, 10, 23, 12);
const BOOKED_MS = RESERVED_MS + 5 * SECOND_MS;
const OURS = '7001';

type Stage = readonly [value: string, timestamp: number];

interface Course {
  readonly stages: readonly Stage[];
  /** How the reservation ended. */
  readonly end?: 'posted' | 'voided';
  readonly isStraight?: boolean;
  readonly undone?: readonly { readonly id: string }[];
  readonly property?: string;
}

/** One contact, one reservation and one value of ours. */
function faultsOf({ stages, end = 'posted', isStraight = true, undone = [], property = 'city' }: Course) {
  const entry = ([value, timestamp]: Stage, sourceId: string) => ({ value, timestamp, sourceId });
  const history = {
    lifecyclestage: stages.map((stage) => entry(stage, 'userId:1')),
    [property]: [entry(['Ulm', BOOKED_MS], OURS)],
  };
  const rows = [
    ['time', 'kind', 'record', 'reservationId'],
    [new Date(RESERVED_MS).toISOString(), 'pending', 'contacts#1', 'a'],
    [new Date(BOOKED_MS).toISOString(), end, 'contacts#1', 'a'],
  ];
  const evidence = {
    agreed: { barredStage: 'other', appId: Number(OURS), isStraight, hasLateWrites: false },
    hubSpot: { records: { '0-1': { 1: { id: '1', history } } } },
    told: { ledger: rows.map((row) => row.join(',')).join('\r\n') },
    undone,
  };
  return whomFaults(evidence as unknown as Evidence);
}

const PAID = 'contact 1 was paid for although no rule admits it';
const WRITTEN = 'contact 1 was written although no rule admits it';

it.each<[string, Course, string[]]>([
  ['a contact that was left out from the beginning', { stages: [['other', 1]] }, [PAID, WRITTEN]],
  ['nothing in a contact that is admitted', { stages: [['lead', 1]] }, []],
  [
    'nothing in a contact that was admitted half a minute before',
    {
      stages: [
        ['other', RESERVED_MS - 30 * SECOND_MS],
        ['lead', 1],
      ],
    },
    [],
  ],
  [
    'nothing in a contact that is admitted before the charge',
    {
      stages: [
        ['lead', RESERVED_MS + SECOND_MS],
        ['other', 1],
      ],
    },
    [],
  ],
  ['no charge in a reservation that was given back', { stages: [['other', 1]], end: 'voided' }, [WRITTEN]],
  ['no write in what a person has undone', { stages: [['other', 1]], undone: [{ id: '1' }] }, [PAID]],
  ['no write in a status', { stages: [['other', 1]], property: 'enrichment_status' }, [PAID]],
])('the oracle sees %s', (_, course, faults) => {
  expect(faultsOf(course)).toEqual(faults);
});

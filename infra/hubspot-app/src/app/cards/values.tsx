import { Button, Flex, Icon, Text } from '@hubspot/ui-extensions';
import { useState } from 'react';
import { AppTable } from './app-table.tsx';
import type { Value, Wish } from './service.ts';
import { BUTTONS, dateWords, EDITS, NOTES, shortened } from './words.ts';

interface ValuesProps {
  readonly values: readonly Value[];
  readonly isBusy: boolean;
  readonly isNarrow: boolean;
  readonly timeZone: string;
  readonly onWish: (wish: Wish) => void;
}

/** The values that enrichment wrote last: old and new, date, and an undo for each that is still ours. */
export function Values({ isNarrow, ...shown }: ValuesProps) {
  return isNarrow ? <ValueList {...shown} /> : <ValueTable {...shown} />;
}

type Shown = Omit<ValuesProps, 'isNarrow'>;

const SHOWN_IN_SIDEBAR = 4;

function ValueList({ values, isBusy, timeZone, onWish }: Shown) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? values : values.slice(0, SHOWN_IN_SIDEBAR);
  return (
    <Flex direction="column" gap="sm">
      {shown.map((value) => (
        <Flex key={value.property} direction="row" gap="sm" justify="between" align="center">
          <Flex direction="column" gap="flush">
            <Text variant="microcopy">{`${value.label}, ${sourceOf(value, timeZone)}`}</Text>
            <Text>{change(value)}</Text>
          </Flex>
          <Undo value={value} isBusy={isBusy} onWish={onWish} />
        </Flex>
      ))}
      {values.length > shown.length ? (
        <Button size="sm" onClick={() => setAll(true)}>
          {BUTTONS.allValues(values.length)}
        </Button>
      ) : null}
    </Flex>
  );
}

function ValueTable({ values, isBusy, timeZone, onWish }: Shown) {
  const rows = values.map((value) => ({
    key: value.property,
    cells: [
      value.label,
      change(value),
      sourceOf(value, timeZone),
      <Undo key="undo" value={value} isBusy={isBusy} onWish={onWish} />,
    ],
  }));
  const heads = ['Property', 'Old \u2192 new', NOTES.fromEnrichment, 'Undo'];
  return <AppTable heads={heads} rows={rows} isDense={true} />;
}

/** The day of our write, or what people did since. */
function sourceOf({ now, writtenAtMs }: Value, timeZone: string): string {
  return now === 'ours' ? dateWords('short', writtenAtMs, timeZone) : EDITS[now];
}

/** `empty -> VP of People` */
function change({ before, value }: Value): string {
  return [before, value].map((each) => (each === '' ? NOTES.empty : shortened(each))).join(' \u2192 ');
}

function Undo({ value, isBusy, onWish }: Pick<Shown, 'isBusy' | 'onWish'> & { readonly value: Value }) {
  const { now, property, label, run } = value;
  if (now !== 'ours') return null;
  return (
    <Button
      size="xs"
      variant="transparent"
      disabled={isBusy}
      onClick={() => onWish({ kind: 'undo', property, run })}
    >
      <Icon name="undo" screenReaderText={BUTTONS.undo(label)} />
    </Button>
  );
}

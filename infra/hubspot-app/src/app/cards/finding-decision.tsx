import { Alert, Button, Checkbox, Flex, LoadingSpinner, Tag, Text } from '@hubspot/ui-extensions';
import { useEffect, useState } from 'react';
import { SureButton } from './answer.tsx';
import { AppTable } from './app-table.tsx';
import type {
  CardFinding,
  CardObjectType,
  CardReply,
  FindingPreview,
  FindingWish,
  OfferedValue,
} from './service.ts';
import { BUTTONS, FINDING_WORDS, NOTES } from './words.ts';

/** A finding, as far as a page shows it. */
type ShownFinding = Pick<CardFinding, 'kind' | 'reason' | 'foundAtMs' | 'hasAnswer'>;

interface FindingProps {
  readonly finding: ShownFinding;
  readonly objectType: CardObjectType;
  readonly isBusy: boolean;
  readonly onWish: (wish: FindingWish) => void;
}

export interface FindingDecisionProps extends FindingProps {
  /** What accepting would write. Absent until it is read. */
  readonly preview: FindingPreview | undefined;
  /** Whether the values are being read. */
  readonly isReading: boolean;
  readonly isNarrow: boolean;
}

/** Keeps what accepting would write. A reply to another request does not take it away. */
export function usePreview(reply: CardReply | undefined): FindingPreview | undefined {
  const [preview, setPreview] = useState<FindingPreview>();
  if (reply?.kind === 'previewed' && reply !== preview) setPreview(reply);
  return preview;
}

/** The jobs of a job change, once they are read. Otherwise `the answer names ...` -> `The answer names ... .` */
export function findingSentence({ kind, reason }: ShownFinding, preview: FindingPreview | undefined): string {
  if (kind === 'job-change' && preview?.says !== undefined) return preview.says;
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`;
}

export function FindingTag({ finding, objectType }: Pick<FindingProps, 'finding' | 'objectType'>) {
  const { kind } = finding;
  const word = kind === 'contradiction' ? NOTES.another(objectType) : (FINDING_WORDS[kind] ?? 'Finding');
  return <Tag variant={kind === 'contradiction' ? 'error' : 'warning'}>{word}</Tag>;
}

/** A finding with the values that accepting it would write, and its buttons. An answer about another person starts without a tick. */
export function FindingDecision(props: FindingDecisionProps) {
  const { finding, objectType, preview, isReading, isNarrow, onWish } = props;
  const { kind, foundAtMs, hasAnswer } = finding;
  const isOther = kind === 'contradiction';
  const values = preview?.changes;
  const offered = values?.filter(({ isKept }) => !isKept).map(({ property }) => property);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const chosen = offered?.filter((property) => toggled.has(property) === isOther);
  // The values are read once, and again if a person asks.
  const isWanted = hasAnswer && values === undefined;
  const [wasAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isWanted || wasAsked) return;
    setAsked(true);
    onWish({ kind: 'preview', finding: kind, foundAtMs });
  }, [isWanted, wasAsked, kind, foundAtMs, onWish]);
  const toggle = (property: string) => {
    const next = new Set(toggled);
    if (!next.delete(property)) next.add(property);
    setToggled(next);
  };
  return (
    <Flex direction="column" gap="sm">
      {isOther ? (
        <Alert title={chosen?.length ? NOTES.writesOther(objectType) : NOTES.nothingTicked} variant="warning">
          {preview?.says}
        </Alert>
      ) : null}
      {isReading ? <LoadingSpinner label="Reading the values" showLabel={true} /> : null}
      {values === undefined ? null : (
        <Offered {...{ values, isNarrow }} chosen={new Set(chosen)} onToggle={toggle} />
      )}
      <FindingButtons {...props} chosen={chosen} all={offered?.length} />
    </Flex>
  );
}

interface FindingButtonsProps extends FindingProps {
  readonly preview?: FindingPreview | undefined;
  /** Ticked properties; absent while the values are not shown. */
  readonly chosen?: readonly string[] | undefined;
  /** Number of offered properties. */
  readonly all?: number | undefined;
  /** Whether no button is the primary one, as in a list. */
  readonly isQuiet?: boolean;
}

/** The buttons of a finding, the safe one first. Without values, another person's answer can only be rejected. */
export function FindingButtons(props: FindingButtonsProps) {
  const { finding, objectType, isBusy, onWish, preview, chosen, all, isQuiet = false } = props;
  const { kind, foundAtMs, hasAnswer } = finding;
  const named = { finding: kind, foundAtMs };
  const isOther = kind === 'contradiction';
  const isJob = kind === 'job-change';
  const properties = chosen && chosen.length < (all ?? 0) ? { properties: chosen } : {};
  const label = acceptLabel(kind, hasAnswer ? chosen?.length : undefined, hasAnswer);
  const accept = preview?.changes.some((each) => each.isIdentity && chosen?.includes(each.property)) ? (
    // Another choice asks again.
    <SureButton
      key={chosen?.join(' ')}
      label={label}
      question={`${preview.says} ${NOTES.writesOther(objectType)}`}
      yes={BUTTONS.sureOther}
      disabled={isBusy}
      onYes={() => onWish({ kind: 'accept', ...named, ...properties, confirmsIdentity: true })}
    />
  ) : (
    <Button
      size="sm"
      variant={isOther || isQuiet ? 'secondary' : 'primary'}
      disabled={isBusy || (chosen?.length === 0 && all !== 0)}
      onClick={() => onWish({ kind: 'accept', ...named, ...properties })}
    >
      {label}
    </Button>
  );
  // If the answer fits what was looked up, the record's name may be wrong. Neither decision then stands out.
  const isClear = hasAnswer ? preview !== undefined && !preview.fitsIdentifier : true;
  const reject = (
    <Button
      size="sm"
      variant={isOther && isClear && !isQuiet ? 'primary' : 'secondary'}
      disabled={isBusy}
      onClick={() => onWish({ kind: 'reject', ...named })}
    >
      {isOther ? BUTTONS.wrongPerson(objectType) : isJob ? BUTTONS.keepOld : BUTTONS.reject}
    </Button>
  );
  if (isOther)
    return (
      <Flex direction="row" gap="sm" wrap={true}>
        {reject}
        {chosen === undefined || all === 0 ? null : accept}
      </Flex>
    );
  return (
    <Flex direction="row" gap="sm" wrap={true}>
      {all === 0 && !isJob ? null : accept}
      {reject}
      {isJob && hasAnswer ? (
        <Button
          size="sm"
          variant="transparent"
          disabled={isBusy}
          onClick={() => onWish({ kind: 'reject', ...named, isOtherPerson: true })}
        >
          {BUTTONS.notThisPerson}
        </Button>
      ) : null}
    </Flex>
  );
}

function acceptLabel(kind: string, count: number | undefined, hasAnswer: boolean): string {
  if (!hasAnswer) return BUTTONS.done;
  if (kind === 'job-change') return BUTTONS.acceptJob;
  return count === undefined ? BUTTONS.acceptAll : BUTTONS.accept(count);
}

interface OfferedProps {
  readonly values: readonly OfferedValue[];
  readonly chosen: ReadonlySet<string>;
  readonly isNarrow: boolean;
  readonly onToggle: (property: string) => void;
}

function Offered({ values, chosen, isNarrow, onToggle }: OfferedProps) {
  if (values.every(({ isKept }) => isKept)) return <Text>{NOTES.nothingToWrite}</Text>;
  const box = ({ property, label, isKept }: OfferedValue) =>
    isKept ? (
      <Text variant="microcopy">{NOTES.isKept}</Text>
    ) : (
      <Checkbox
        name={property}
        checked={chosen.has(property)}
        onChange={() => onToggle(property)}
        aria-label={`Write ${label}`}
      />
    );
  if (isNarrow)
    return (
      <Flex direction="column" gap="sm">
        {values.map((value) => (
          <Flex key={value.property} direction="row" gap="sm" align="center">
            {box(value)}
            <Text>{`${value.label}: ${value.now || NOTES.empty} \u2192 ${value.proposed}`}</Text>
          </Flex>
        ))}
      </Flex>
    );
  const rows = values.map((value) => ({
    key: value.property,
    cells: [box(value), value.label, value.now || NOTES.empty, value.proposed],
  }));
  return <AppTable heads={['Accept', 'Property', 'In HubSpot now', 'Answer']} rows={rows} isDense={true} />;
}

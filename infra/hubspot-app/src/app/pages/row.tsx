import { Box, Button, Flex, Icon, Text } from '@hubspot/ui-extensions';
import type { ReactNode } from 'react';
import { PAGE_BUTTONS } from './home-words.ts';

interface RowProps {
  /** What the row is about, for a screen reader. */
  readonly name: string;
  readonly tag: ReactNode;
  readonly sentence: ReactNode;
  readonly date: string;
  /** Buttons while the row is closed or always. */
  readonly buttons?: ReactNode;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children?: ReactNode;
}

/** A row of one line that opens in place. */
export function Row({ name, tag, sentence, date, buttons, isOpen, onToggle, children }: RowProps) {
  return (
    <Flex direction="column" gap="xs">
      <Flex direction="row" gap="sm" wrap={true} align="center">
        <Box flex="none">
          <Button variant="transparent" size="xs" onClick={onToggle}>
            <Icon
              name={isOpen ? 'downCarat' : 'right'}
              screenReaderText={isOpen ? PAGE_BUTTONS.close(name) : PAGE_BUTTONS.open(name)}
            />
          </Button>
        </Box>
        <Box flex="none">{tag}</Box>
        <Box flex={1}>{sentence}</Box>
        <Box flex="none">
          <Text variant="microcopy">{date}</Text>
        </Box>
        {buttons === undefined ? null : <Box flex="none">{buttons}</Box>}
      </Flex>
      {isOpen ? children : null}
    </Flex>
  );
}

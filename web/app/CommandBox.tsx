import { Button } from '../ui/Button.tsx';
import { Row, Well } from '../ui/Layout.tsx';
import { useCopy } from './use-copy.ts';

interface CommandBoxProps {
  readonly command: string;
  /** Label of the copy button. */
  readonly copy: string;
}

/** A command to be run in a terminal, with a button that copies it. */
export function CommandBox({ command, copy }: CommandBoxProps) {
  const copyText = useCopy();
  return (
    <Row gap={[2, 3]} style={{ marginTop: 'var(--space-3)' }}>
      <Well
        as="code"
        style={{ flex: '1 1 20rem', userSelect: 'all', paddingBlock: 'var(--space-2)' }}
      >
        {command}
      </Well>
      <Button icon="copy" onClick={() => void copyText(command)}>
        {copy}
      </Button>
    </Row>
  );
}

/** The command that makes a machine a trainer of the platform that served this page. */
export const trainerCommand = (origin: string): string =>
  `npm run spikegrid -- trainer --gateway ${origin} --data ./data`;

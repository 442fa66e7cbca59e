import { Button } from '../ui/Button.tsx';
import css from './CommandBox.module.css';
import { useCopy } from './use-copy.ts';

interface CommandBoxProps {
  readonly command: string;
  /** What the button that copies it is called. */
  readonly copy: string;
}

/** A command to be run in a terminal, with a button that copies it. */
export function CommandBox({ command, copy }: CommandBoxProps) {
  const copyText = useCopy();
  return (
    <div className={css['box']}>
      <code className={css['command']}>{command}</code>
      <Button icon="copy" onClick={() => void copyText(command)}>
        {copy}
      </Button>
    </div>
  );
}

/** What makes a machine a trainer of the platform that this page came from. */
export const trainerCommand = (origin: string): string =>
  `npm run spikegrid -- trainer --gateway ${origin} --data ./data`;

import { Button } from '../ui/Button.tsx';
import css from './CommandBox.module.css';
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
    <div className={css['box']}>
      <code className={css['command']}>{command}</code>
      <Button icon="copy" onClick={() => void copyText(command)}>
        {copy}
      </Button>
    </div>
  );
}

/** The command that makes a machine a trainer of the platform that served this page. */
export const trainerCommand = (origin: string): string =>
  `npm run spikegrid -- trainer --gateway ${origin} --data ./data`;

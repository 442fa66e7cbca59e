import { useId, type ReactNode } from 'react';
import { Note, Row, Stack } from '../../ui/Layout.tsx';

interface PartProps {
  readonly title: string;
  readonly note: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Content of a tab: the tab is the frame around it. */
export function Part({ title, note, actions, children }: PartProps) {
  const id = useId();
  return (
    <Stack as="section" aria-labelledby={id}>
      <Row as="header" gap={3} align="flex-start" justify="space-between">
        <div>
          <h2 id={id}>{title}</h2>
          <Note style={{ marginTop: 'var(--space-1)' }}>{note}</Note>
        </div>
        {actions}
      </Row>
      {children}
    </Stack>
  );
}

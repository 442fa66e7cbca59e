import type { ClassResponse } from '../../../../edge/inference/contract/infer.ts';
import { Table, type Column } from '../../../ui/Table.tsx';
import css from '../Playground.module.css';
import { usePlaygroundText, type PlaygroundText } from '../playground-text.ts';

interface ClassesViewProps {
  readonly model: string;
  readonly classes: ClassResponse['outputs']['classes'];
}

type Row = ClassesViewProps['classes'][number];

/** Predictions for an image, a sound or a stream: every class, most probable first. */
export function ClassesView({ model, classes }: ClassesViewProps) {
  const text = usePlaygroundText();
  return (
    <Table
      caption={text.t('classes.table', { model })}
      columns={columnsOf(text)}
      rows={classes}
      rowKey={({ label }) => label}
      height="limited"
    />
  );
}

function columnsOf({ t, format }: PlaygroundText): readonly Column<Row>[] {
  return [
    { key: 'class', title: t('classes.class'), cell: ({ label }) => label },
    {
      key: 'probability',
      title: t('classes.probability'),
      align: 'end',
      cell: ({ probability }) => (
        <span className={css['share']}>
          <meter min={0} max={1} value={probability} aria-hidden="true" />
          {format.percent(probability)}
        </span>
      ),
    },
  ];
}

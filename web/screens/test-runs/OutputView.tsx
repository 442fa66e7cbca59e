import { type UIEvent, useEffect, useRef, useState } from 'react';
import type { StreamLink } from '../../api/follow-stream.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Toggle } from '../../ui/Toggle.tsx';
import { useSampled } from '../../widgets/canvas/use-sampled.ts';
import { Note, Row, Well } from '../../ui/Layout.tsx';
import type { OutputFeed } from './output-feed.ts';
import { endOf } from './output-end.ts';
import { useTestRunsText } from './words/en-test-runs.ts';

const SHOW_EVERY_MS = 200;
/** So many characters are in the page at most. */
const MAX_SHOWN = 100_000;
/** So near to its end, in px, a list counts as scrolled to it. */
const NEAR_END = 24;

const TONES: Readonly<Record<StreamLink['status'], BadgeTone>> = {
  connecting: 'neutral',
  live: 'good',
  lost: 'warn',
  over: 'neutral',
  refused: 'bad',
};

interface OutputViewProps {
  readonly runId: string;
  readonly feed: OutputFeed;
}

/** The output of a run as it comes, with what it wrote to its standard error marked. */
export function OutputView({ runId, feed }: OutputViewProps) {
  const { t } = useTestRunsText();
  useSampled(feed, SHOW_EVERY_MS);
  const [isFollowing, setFollowing] = useState(true);
  const { link, pieces, isCut } = feed;
  const { isShortened } = endOf(pieces, MAX_SHOWN);
  const save = () => {
    const text = pieces.map((piece) => piece.text);
    saveFile(`${runId}.txt`, new Blob(text, { type: 'text/plain' }));
  };
  return (
    <>
      <Row gap={[2, 3]}>
        <Badge tone={TONES[link.status]}>{t(`link.${link.status}`)}</Badge>
        <Toggle state={isFollowing ? 'on' : 'off'} onToggle={(to) => setFollowing(to === 'on')}>
          {t('output.follow')}
        </Toggle>
        <Button icon="download" onClick={save}>
          {t('output.download')}
        </Button>
      </Row>
      {link.status === 'refused' && <ErrorState error={link.error} />}
      {isCut && <Note>{t('output.cut')}</Note>}
      {isShortened && <Note>{t('output.end')}</Note>}
      <Output feed={feed} isFollowing={isFollowing} onFollow={setFollowing} />
    </>
  );
}

const OUTPUT = { height: 'clamp(12rem, 50vh, 40rem)', lineHeight: 1.5, tabSize: 4 };

interface OutputProps {
  readonly feed: OutputFeed;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

function Output({ feed, isFollowing, onFollow }: OutputProps) {
  const { t } = useTestRunsText();
  const box = useRef<HTMLDivElement>(null);
  // After every rendering: each comes of more output, or of the switch.
  useEffect(() => {
    if (isFollowing && box.current) box.current.scrollTop = box.current.scrollHeight;
  });
  // Scrolled up by hand, it stays where one reads; back at the end, it follows again.
  const follow = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent) =>
    onFollow(scrollTop + clientHeight >= scrollHeight - NEAR_END);
  const { pieces } = endOf(feed.pieces, MAX_SHOWN);
  return (
    <Well
      ref={box}
      style={OUTPUT}
      role="log"
      aria-label={t('output.title')}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
      lang="en"
      onScroll={follow}
    >
      {pieces.length === 0 && t(feed.link.status === 'over' ? 'output.empty' : 'output.none')}
      {pieces.map(({ at, stream, text }) => (
        <span key={at} style={stream === 'stderr' ? { color: 'var(--warn)' } : undefined}>
          {text}
        </span>
      ))}
    </Well>
  );
}

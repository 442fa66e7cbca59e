import { useElementWidth } from '../../../ui/use-element-width.ts';
import { useLabText } from '../lab-text.ts';
import css from './Views.module.css';
import { markOf } from './probe-words.ts';

/** Below this many px a character has no room of its own. */
const ROOM_PX = 9;

interface ProbeAxisProps {
  readonly characters: readonly string[];
}

/** The characters that are read, each as wide as its time steps above; their numbers where there is no room. */
export function ProbeAxis({ characters }: ProbeAxisProps) {
  const { format } = useLabText();
  const [width, measure] = useElementWidth();
  const hasRoom = width >= ROOM_PX * characters.length;
  return (
    <div ref={measure} className={css['axis']} aria-hidden="true">
      {hasRoom ? (
        // eslint-disable-next-line react/no-array-index-key -- a character has no name but its place
        characters.map((character, place) => <span key={place}>{markOf(character)}</span>)
      ) : (
        <>
          <span className={css['axisStart']}>{format.integer(1)}</span>
          <span className={css['axisEnd']}>{format.integer(characters.length)}</span>
        </>
      )}
    </div>
  );
}

import { useLabText } from '../lab-text.ts';
import css from './Views.module.css';
import { markOf } from './probe-words.ts';
import { type RefCallback, useCallback, useState } from 'react';

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

/** The width of an element in px, as it is and as it changes; 0 until it is in the page. */
function useElementWidth(): readonly [width: number, ref: RefCallback<HTMLElement>] {
  const [width, setWidth] = useState(0);
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [width, measure];
}

import {
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import css from './Tooltip.module.css';

interface TooltipProps {
  /** Text that is otherwise not visible: the full form of a shortened value, an absolute time. */
  readonly text: string;
  /** One element that can take the focus, so that the text is there for the keyboard too. */
  readonly children: ReactElement<{ readonly 'aria-describedby'?: string }>;
}

const SHOW_MS = 250;
/** Long enough to get from what it belongs to into the bubble, whose text may be selected. */
const HIDE_MS = 150;

/** Words about an element that has the pointer or the focus; Escape takes them away. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const [state, setState] = useState<'shown' | 'hidden'>('hidden');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isShown = state === 'shown';

  function become(next: typeof state, afterMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState(next), afterMs);
  }
  function hideOnEscape(event: KeyboardEvent) {
    if (event.key === 'Escape' && isShown) become('hidden', 0);
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- it hears of what is inside
    <span
      className={css['around']}
      onPointerEnter={() => become('shown', SHOW_MS)}
      onPointerLeave={() => become('hidden', HIDE_MS)}
      onPointerDown={() => become('hidden', 0)}
      onFocus={(event) => event.target.matches(':focus-visible') && become('shown', 0)}
      onBlur={() => become('hidden', 0)}
      onKeyDown={hideOnEscape}
    >
      {isShown ? cloneElement(children, { 'aria-describedby': id }) : children}
      {isShown && <Bubble id={id} text={text} />}
    </span>
  );
}

/** Above everything else, beside the element before it. */
function Bubble({ id, text }: { readonly id: string; readonly text: string }) {
  const bubble = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = bubble.current;
    const target = element?.previousElementSibling?.getBoundingClientRect();
    if (!element || !target) return;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    const left = target.left + (target.width - width) / 2;
    const above = target.top - height - GAP_PX;
    const room = document.documentElement.clientWidth - width - EDGE_PX;
    element.style.left = `${Math.max(EDGE_PX, Math.min(left, room))}px`;
    element.style.top = `${above < EDGE_PX ? target.bottom + GAP_PX : above}px`;
  });
  return (
    <span ref={bubble} id={id} role="tooltip" popover="manual" className={css['bubble']}>
      {text}
    </span>
  );
}

const GAP_PX = 6;
const EDGE_PX = 12;

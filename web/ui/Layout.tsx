import { createElement, type ComponentProps, type CSSProperties, type JSX } from 'react';
import { classNames } from './class-names.ts';
import css from './Layout.module.css';

/** A step of the scale of styles/tokens.css; a pair is the gap of rows and the gap of columns. */
type Space = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
type Gap = Space | readonly [rows: Space, columns: Space];

type Tag = keyof JSX.IntrinsicElements;
type BoxProps<Name extends Tag, Own> = Own & { readonly as?: Name } & Omit<
    ComponentProps<Name>,
    keyof Own
  >;

interface FlexOwn {
  /** Space between the parts, where nothing else is said `--space-4` in a stack, `--space-2` in a row. */
  readonly gap?: Gap;
  readonly align?: CSSProperties['alignItems'];
  readonly justify?: CSSProperties['justifyContent'];
}
type FlexProps<Name extends Tag = 'div'> = BoxProps<Name, FlexOwn>;

/** Parts below each other, `as` any element. */
export function Stack<Name extends Tag = 'div'>({ gap = 4, ...rest }: FlexProps<Name>) {
  return flex('stack', { gap, ...rest });
}

/** Parts beside each other, which wrap where there is no room. Centred upright unless aligned. */
export function Row<Name extends Tag = 'div'>({ gap = 2, ...rest }: FlexProps<Name>) {
  return flex('row', { gap, ...rest });
}

interface GridOwn {
  readonly gap?: Gap;
  readonly align?: CSSProperties['alignItems'];
  /** As many equal columns as fit, each at least so wide, such as `12rem`. */
  readonly min: string;
  /** Whether few parts grow to the whole width, or columns stay as narrow as with many. */
  readonly columns?: 'fit' | 'fill';
}
type GridProps<Name extends Tag = 'div'> = BoxProps<Name, GridOwn>;

/** Parts in equal columns. */
export function Grid<Name extends Tag = 'div'>(props: GridProps<Name>) {
  const { gap = 3, align, min, columns = 'fit', style, ...rest } = props as GridProps;
  const tracks = `repeat(auto-${columns}, minmax(min(100%, ${min}), 1fr))`;
  return box('grid', rest, {
    gap: gapOf(gap),
    alignItems: align,
    gridTemplateColumns: tracks,
    ...style,
  });
}

/** A paragraph in small, muted letters. */
export function Note<Name extends Tag = 'p'>(props: BoxProps<Name, object>) {
  const { style, ...rest } = props as BoxProps<'p', object>;
  return box('note', { as: 'p', ...rest }, { ...style });
}

/** A sunken box for code, output and other text that is not ours. Longer text wraps or scrolls. */
export function Well<Name extends Tag = 'div'>(props: BoxProps<Name, object>) {
  const { style, ...rest } = props as BoxProps<'div', object>;
  return box('well', rest, { ...style });
}

function flex(kind: 'stack' | 'row', props: object) {
  const { gap = 0, align, justify, style, ...rest } = props as FlexProps;
  const own = { gap: gapOf(gap), alignItems: align, justifyContent: justify };
  return box(kind, rest, { ...own, ...style });
}

function box(
  kind: string,
  props: { readonly as?: Tag; readonly className?: string | undefined },
  style: CSSProperties,
) {
  const { as = 'div', className, ...rest } = props;
  return createElement(as, { ...rest, style, className: classNames(css[kind], className) });
}

const gapOf = (gap: Gap): string =>
  [gap]
    .flat()
    .map((step) => (step === 0 ? '0' : `var(--space-${step})`))
    .join(' ');

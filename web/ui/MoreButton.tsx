import { useText } from '../i18n/text-context.ts';
import { Button } from './Button.tsx';

/** The pages of a list, as far as they were read. */
export interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

export interface MoreButtonProps {
  readonly pages: Pages;
  /** What it says. */
  readonly children: string;
}

/** Reads the next page of a list; not there where there is none. */
export function MoreButton({ pages, children }: MoreButtonProps) {
  const { t } = useText();
  if (!pages.hasNextPage) return null;
  return (
    <Button
      state={pages.isFetchingNextPage ? 'blocked' : 'ready'}
      onClick={() => pages.fetchNextPage()}
    >
      {pages.isFetchingNextPage ? t('ui.loading') : children}
    </Button>
  );
}

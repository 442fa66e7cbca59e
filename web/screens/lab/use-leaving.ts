import { useEffect } from 'react';
import { theLab, useLab } from './the-lab.ts';

/** Computes pictures only while the page is seen; training goes on. */
export function useVisibility(): void {
  useEffect(() => {
    const { looking } = theLab();
    const follow = () => looking.setPage(document.visibilityState);
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      // Another screen is looked at: the lab's pictures are not.
      looking.setPage('hidden');
    };
  }, []);
}

/** Asks before the page is closed while training is under way or was not saved. */
export function useLeaving(): void {
  const hasUnsaved = useLab(({ progress, savedStep }) => (progress?.step ?? 0) > savedStep);
  useEffect(() => {
    if (!hasUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasUnsaved]);
}

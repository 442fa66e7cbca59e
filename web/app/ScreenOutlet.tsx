import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { useText } from '../i18n/text-context.ts';
import { ScreenTitleContext } from '../routing/navigation-context.ts';
import { NotFound } from '../screens/not-found/NotFound.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Screen } from '../ui/Screen.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SCREENS } from './screens.ts';

/** The screen that the path names. Rendered anew for each path: nothing of the one before is left. */
export function ScreenOutlet() {
  const { language } = useText();
  return (
    <ErrorBoundary fallback={failedScreen}>
      <Suspense fallback={<LoadingScreen />}>
        <Switch>
          {SCREENS.map(({ path, title, component: Content }) => (
            <Route key={path} path={path}>
              <ScreenTitleContext value={title?.[language] ?? ''}>
                <Content />
              </ScreenTitleContext>
            </Route>
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

function failedScreen(error: unknown) {
  return <FailedScreen error={error} />;
}

/** Most often its code could not be fetched. Only a reload fetches it again: React keeps what failed. */
function FailedScreen({ error }: { readonly error: unknown }) {
  const { t } = useText();
  return (
    <Screen title={t('screen.failed')}>
      <ErrorState error={error} onRetry={() => location.reload()} />
    </Screen>
  );
}

function LoadingScreen() {
  const { t } = useText();
  return (
    <output aria-label={t('shell.loading')}>
      <Skeleton lines={6} lineRem={2.5} />
    </output>
  );
}

import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Replaces the children permanently after one of them threw, as it would throw again. */
  readonly fallback: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

type State = { readonly failed: 'no' } | { readonly failed: 'yes'; readonly error: unknown };

/** Keeps the rest of the page when one part of it throws, in rendering or in loading its code. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: 'no' };

  static getDerivedStateFromError(error: unknown): State {
    return { failed: 'yes', error };
  }

  override render() {
    const { state, props } = this;
    return state.failed === 'yes' ? props.fallback(state.error) : props.children;
  }
}

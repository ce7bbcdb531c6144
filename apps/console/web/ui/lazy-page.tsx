import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Waiting } from './listing';
import { Failed } from './failed';

interface State {
  readonly error: unknown;
}

/** Loads a page on first use. Shows a loading state, and an error if the file is missing, for example after an update. */
export class LazyPage extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError = (error: unknown): State => ({ error });

  override render(): ReactNode {
    if (this.state.error) return <Failed error={this.state.error} onRetry={() => location.reload()} />;
    return <Suspense fallback={<Waiting />}>{this.props.children}</Suspense>;
  }
}

/** A page in a file of its own. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  const Page = lazy(async () => ({ default: await load() }));
  return () => (
    <LazyPage>
      <Page />
    </LazyPage>
  );
}

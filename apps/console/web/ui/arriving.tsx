import { Component, Suspense, type ReactNode } from 'react';
import { Waiting } from './listing';
import { Failed } from './failed';

interface State {
  readonly error: unknown;
}

/** A page that is loaded when it is first opened: while it comes, and where it does not, as when an update took its file away. */
export class Arriving extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError = (error: unknown): State => ({ error });

  override render(): ReactNode {
    if (this.state.error) return <Failed error={this.state.error} onRetry={() => location.reload()} />;
    return <Suspense fallback={<Waiting />}>{this.props.children}</Suspense>;
  }
}

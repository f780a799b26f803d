import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { useReconnectCount } from '../api/connection.ts';
import { EmptyState, Skeleton } from '../parts/placeholders.tsx';
import type { ViewProps } from '../views/view-props.ts';
import { findView } from '../views/views.ts';

type Loaded = { readonly Content: ComponentType<ViewProps> } | 'loading' | 'failed';

/** A view that says so where it breaks: the others go on. */
const Guarded = ({
  Content,
  address,
}: ViewProps & { readonly Content: ComponentType<ViewProps> }) => {
  const [error, recover] = useErrorBoundary();
  if (!error) return <Content address={address} />;
  return (
    <EmptyState title="This view broke">
      That is a fault of the console.{' '}
      <button type="button" onClick={recover}>
        Show it anew
      </button>
    </EmptyState>
  );
};

/** A view, once its program is there. */
export const OpenedView = ({ address }: ViewProps) => {
  const view = findView(address.view);
  const load = view?.load;
  const [loaded, setLoaded] = useState<Loaded>('loading');
  const returns = useReconnectCount();
  useEffect(() => {
    // A browser does not load again what it could not load once, but with the page.
    if (loaded === 'failed') location.reload();
  }, [returns]);
  useEffect(() => {
    let isGone = false;
    load?.().then(
      ({ default: Content }) => !isGone && setLoaded({ Content }),
      () => !isGone && setLoaded('failed'),
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  if (!view) {
    return (
      <EmptyState title="There is no such view">
        <a href="#/queue">Go to the queue</a>
      </EmptyState>
    );
  }
  if (loaded === 'loading') return <Skeleton lines={8} label="Loading" />;
  if (loaded === 'failed') {
    return (
      <EmptyState title="This view could not be loaded">
        The registry cannot be reached, or has a later console. It opens by itself once the registry
        can be reached.{' '}
        <button type="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </EmptyState>
    );
  }
  const { Content } = loaded;
  return <Guarded Content={Content} address={address} />;
};
